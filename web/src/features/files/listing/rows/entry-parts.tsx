import { hasEscapedBytes } from '@filestead/contract/paths/raw-names';
import type { ReactNode } from 'react';
import { i18n } from '../../../../i18n/i18n.ts';
import { formatDate, formatPercent, formatSize, formatTime } from '../../../../i18n/format.ts';
import { FileIcon } from '../../../../ui/names/file-icon.tsx';
import styles from '../entry.module.css';
import { lowerCaseExtension, fileKind } from '../../../../ui/names/file-kind.ts';
import { LongName } from '../../../../ui/names/long-name.tsx';
import type { ListingItem } from '../model/listing-entries.ts';
import type { ScrollPace } from '../dragging/scroll-pace.ts';
import { displayName } from '../../../../i18n/display-name.ts';
import { Thumbnail } from './thumbnail.tsx';

/**
 * Shows the name of an entry, marked when it is not UTF-8. Its address is set when the pointer is over it (links.ts).
 */
export function EntryName({ name }: { name: string }) {
  if (!hasEscapedBytes(name))
    return <LongName as="a" className={styles.name} data-part="name" name={displayName(name)} />;
  return (
    <>
      <LongName
        as="a"
        className={`${styles.name} ${styles.foreignName}`}
        data-part="name"
        name={displayName(name)}
      />
      <span className="visually-hidden">{i18n.t('listing:foreignName')}</span>
    </>
  );
}

/** The name of an entry as other parts render it; like {@link EntryName}, it is a link that can be dragged. */
export function EntryLink({ children }: { children: ReactNode }) {
  const Name = 'a';
  return (
    <Name className={`${styles.name} ${styles.link}`} data-part="name" dir="auto" draggable={false}>
      {children}
    </Name>
  );
}

export interface EntryPictureProps {
  readonly item: ListingItem;
  /** The size of the icon, in px. */
  readonly size: number;
  readonly thumbnailUrl: ((name: string, modifiedMs: number, id: number) => string | null) | undefined;
  readonly pace: ScrollPace;
  readonly isUncropped: boolean;
  /** The progress of an upload in percent, or null. */
  readonly pending: number | null;
  /** Called with the size of the picture once it has loaded, in its own pixels. */
  readonly onSize?: ((width: number, height: number) => void) | undefined;
}

/** Shows the icon of an entry, its thumbnail once loaded, and the progress ring of an upload. */
export function EntryPicture(props: EntryPictureProps) {
  const { item, size, thumbnailUrl, pace, isUncropped, pending, onSize } = props;
  const isVideo = item.type === 'video';
  const url =
    (item.type === 'image' || isVideo) && pending === null
      ? thumbnailUrl?.(item.name, item.modifiedMs, item.id)
      : undefined;
  return (
    <span className={styles.picture} data-part="icon" data-link={item.isSymlink || undefined}>
      <FileIcon kind={fileKind(item)} size={size} extension={lowerCaseExtension(item.name)} />
      {url && <Thumbnail url={url} pace={pace} isUncropped={isUncropped} isVideo={isVideo} onSize={onSize} />}
      {pending !== null && (
        <span className={styles.ring} style={{ '--progress': `${pending}%` } as React.CSSProperties} />
      )}
    </span>
  );
}

/**
 * Returns the size of an entry, the progress of its upload, or the hint of a broken link; an ellipsis for a folder whose
 * size is not known yet, and nothing where sizes of folders are not counted.
 */
export function entryNote(item: ListingItem, pending: number | null): string {
  if (pending !== null) return i18n.t('listing:uploading', { percent: formatPercent(pending / 100) });
  if (item.type === 'invalid_link') return i18n.t('listing:brokenLink');
  if (item.isFolder) return item.total === undefined ? '' : item.total ? formatSize(item.total.bytes) : '…';
  return Number.isNaN(item.size) ? '' : formatSize(item.size);
}

/** The age from which the size of a folder is shown with its time, in ms. */
export const oldSizeMs = 600_000;

/** Returns the time of a folder's size if it is old: without the day if that is today. */
export function entryAge({ total }: ListingItem): string | null {
  const atMs = total?.checkedAtMs ?? null;
  if (atMs === null || Date.now() - atMs < oldSizeMs) return null;
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return i18n.t('listing:asOf', { time: isToday ? formatTime(atMs) : formatDate(atMs) });
}

/** Shows the modification time of an entry. Its tooltip is created on hover (tooltips.ts). */
export function EntryDate({ atMs, isExact }: { atMs: number; isExact: boolean }) {
  return (
    <time dir="auto" className={styles.date} data-at={isExact ? undefined : atMs}>
      {formatDate(atMs, { exact: isExact })}
    </time>
  );
}
