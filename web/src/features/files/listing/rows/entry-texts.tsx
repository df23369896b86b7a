import {
  formatDate,
  formatPercent,
  formatSize,
  formatTime,
  isSameDay,
  pluralValues,
} from '../../../../i18n/format.ts';
import { i18n } from '../../../../i18n/i18n.ts';
import styles from '../entry.module.css';
import type { ListingItem } from '../model/listing-entries.ts';

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

/** Returns the number of entries in a folder and in the folders in it, "18 items", or null if it is unknown. */
export function itemCount({ total }: ListingItem): string | null {
  return total?.entries === undefined ? null : i18n.t('listing:itemCount', pluralValues(total.entries));
}

/** The age from which the size of a folder is shown with its time, in ms. */
export const oldSizeMs = 600_000;

/** Returns the time of a folder's size if it is old: without the day if that is today. */
export function entryAge({ total }: ListingItem): string | null {
  const atMs = total?.checkedAtMs ?? null;
  if (atMs === null || Date.now() - atMs < oldSizeMs) return null;
  return i18n.t('listing:asOf', { time: isSameDay(atMs, Date.now()) ? formatTime(atMs) : formatDate(atMs) });
}

/** Shows the modification time of an entry. Its tooltip is created on hover (tooltips.ts). */
export function EntryDate({ atMs, isExact }: { atMs: number; isExact: boolean }) {
  return (
    <time dir="auto" className={styles.date} data-at={isExact ? undefined : atMs}>
      {formatDate(atMs, { exact: isExact })}
    </time>
  );
}
