import { FileIcon } from '../../../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../../../ui/names/file-kind.ts';
import type { ScrollPace } from '../dragging/scroll-pace.ts';
import styles from '../entry.module.css';
import type { ListingItem } from '../model/listing-entries.ts';
import { Thumbnail } from './thumbnail.tsx';

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
