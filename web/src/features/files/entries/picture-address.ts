import { getPreview, type PreviewSize } from '@filestead/contract/previews';
import type { ViewMode } from '@filestead/contract/users';
import { urlOf } from '../../../api/call.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { rawUrl } from '../../../api/urls.ts';
import { lowerCaseExtension } from '../../../ui/names/file-kind.ts';
import type { FileEntry } from './entry.ts';

/** Where the server makes no small pictures, larger originals are not fetched whole for a few pixels. In bytes. */
const largestOriginalBytes = 1024 * 1024;

/** What browsers show by themselves. */
const shownByBrowsers = new Set('apng avif bmp gif ico jfif jpeg jpg png svg webp'.split(' '));

type Pictured = Pick<FileEntry, 'name' | 'path' | 'type' | 'size' | 'modifiedMs'>;

/** Whether a browser shows the file as it is. */
export const isShownByBrowsers = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): boolean =>
  type === 'image' && shownByBrowsers.has(lowerCaseExtension(name));

/** The address of a small picture that the server makes of `entry`; it changes with the file. */
export const previewUrl = (
  { path, modifiedMs }: Pick<FileEntry, 'path' | 'modifiedMs'>,
  size: PreviewSize,
): string =>
  urlOf(getPreview, { path, params: { size }, query: { inline: 'true', key: String(modifiedMs) } });

/** Which size fills a tile or a row: tiles show whole pictures, thumbnails are square cuts of 256 pixels. */
const sizeFor = (view: ViewMode, isPhone: boolean): PreviewSize =>
  view === 'list' || isPhone || !pageConfig.ResizePreview ? 'thumb' : 'big';

/** The address of the picture that stands for `entry` in the listing, or null when there is none to ask for. */
export function pictureAddress(entry: Pictured, view: ViewMode, isPhone: boolean): string | null {
  if (entry.size === 0) return null;
  if (pageConfig.EnableThumbs) {
    if (entry.type === 'video') return previewUrl(entry, 'thumb');
    return entry.type === 'image' ? previewUrl(entry, sizeFor(view, isPhone)) : null;
  }
  if (!isShownByBrowsers(entry) || entry.size > largestOriginalBytes) return null;
  return rawUrl(entry.path, { inline: true, key: entry.modifiedMs });
}
