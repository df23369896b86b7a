import { parentOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatDuration } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A remaining time counts as short up to this one, in ms. */
const shortTimeMs = 3 * dayMs;

/** Translates texts of the `trash` namespace outside components. */
export const trashText = i18n.translatorOf('trash');

/** Returns the folder in which an item was. */
export const folderOf = (item: TrashItem): VirtualPath => parentOf(parsePath(item.path).path);

/** Returns the name of the user who deleted an item. */
export function deleterText({ deletedBy }: TrashItem, username: string): string {
  if (deletedBy === null) return trashText('deletedAccount');
  return deletedBy === username ? trashText('you') : displayName(deletedBy);
}

/** Returns when an item was deleted, in the form of {@link formatDate}; with `isExact` to the second. */
export const deletedText = ({ deletedAt }: TrashItem, nowMs: number, isExact: boolean): string =>
  formatDate(Date.parse(deletedAt), { exact: isExact, nowMs });

/** The time until an item is deleted forever, and whether it is short. */
export interface TimeLeft {
  readonly text: string;
  readonly isShort: boolean;
}

/** Returns the time until an item is deleted forever: whole days, on the last day whole hours. */
export function timeLeft({ expiresAt }: TrashItem, nowMs: number): TimeLeft {
  if (expiresAt === null) return { text: trashText('noLimit'), isShort: false };
  const leftMs = Math.max(0, Date.parse(expiresAt) - nowMs);
  const unitMs = leftMs > dayMs ? dayMs : hourMs;
  const text =
    leftMs < hourMs
      ? trashText('lessThanAnHour')
      : formatDuration((Math.ceil(leftMs / unitMs) * unitMs) / 1000);
  return { text, isShort: leftMs <= shortTimeMs };
}

/** The sum of the sizes of items. */
export interface TotalSize {
  readonly bytes: number;
  /** Whether it is a lower limit, because some folders have not been measured. */
  readonly isPartial: boolean;
}

/** Returns the sum of the sizes of items. */
export function totalSize(items: readonly TrashItem[]): TotalSize {
  let bytes = 0;
  let isPartial = false;
  for (const { size } of items) {
    if (size === null) isPartial = true;
    else bytes += size;
  }
  return { bytes, isPartial };
}
