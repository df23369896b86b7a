import type { PreviewSize } from '@filestead/contract/previews';
import type { ViewMode } from '@filestead/contract/users';
import { pictureFormatOf } from '@filestead/contract/values/picture-formats';
import { pageConfig } from '../../../api/page-config.ts';
import { previewUrl } from '../../../api/preview-url.ts';
import { rawUrl } from '../../../api/urls.ts';
import type { FileEntry } from './entry.ts';

/** Maximum size of an original that is shown as its own thumbnail when the server generates none, in bytes. */
const maxOriginalBytes = 1024 * 1024;

type Pictured = Pick<FileEntry, 'name' | 'path' | 'type' | 'size' | 'modifiedMs'>;

/** Whether browsers can show the original. */
export const isShownByBrowsers = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): boolean =>
  type === 'image' && pictureFormatOf(name)?.shownBy === 'browser';

/** Returns the size that fits a view: tiles and photos show whole pictures, thumbnails are 256-pixel squares. */
function sizeFor(view: ViewMode, isPhone: boolean): PreviewSize {
  const isWhole = view === 'mosaic gallery' || (view === 'mosaic' && !isPhone);
  return isWhole ? 'medium' : 'thumb';
}

/** Returns the address of the picture of `entry` in the listing, or null when there is none. */
export function pictureAddress(entry: Pictured, view: ViewMode, isPhone: boolean): string | null {
  if (entry.size === 0) return null;
  if (pageConfig.EnableThumbs) {
    if (entry.type === 'video')
      return previewUrl(entry, view === 'mosaic gallery' ? sizeFor(view, isPhone) : 'thumb');
    return entry.type === 'image' ? previewUrl(entry, sizeFor(view, isPhone)) : null;
  }
  if (!isShownByBrowsers(entry) || entry.size > maxOriginalBytes) return null;
  return rawUrl(entry.path, { inline: true, key: entry.modifiedMs });
}
