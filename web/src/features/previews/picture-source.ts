import { getPreview, type PreviewSize } from '@filestead/contract/previews';
import { urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { rawUrl } from '../../api/urls.ts';
import { isDecodedByBrowser, isDecodedHere, type PreviewEntry } from './preview-entry.ts';

/** The address of the server's own picture of a file. The session's cookie goes with the request. */
export const pictureUrl = ({ path, modifiedMs }: PreviewEntry, size: PreviewSize): string =>
  urlOf(getPreview, { path, params: { size }, query: { inline: 'true', key: String(modifiedMs) } });

export const originalUrl = ({ path, modifiedMs }: PreviewEntry): string =>
  rawUrl(path, { inline: true, key: modifiedMs });

/** One way to get a picture of a file. */
export interface PictureSource {
  readonly url: string;
  /** The picture has all pixels of the original. */
  readonly isWhole: boolean;
  /** The bytes behind the address are decoded in the page, not by the browser. */
  readonly isDecodedHere?: true;
}

/** Whether images come smaller than they are at first, so that their full size is a choice. */
export const hasSmallerPicture = (entry: PreviewEntry): boolean =>
  pageConfig.ResizePreview && isDecodedByBrowser(entry);

/** Ways to show an image, in the order in which they are tried. `isWhole` asks for all its pixels. */
export function pictureSources(entry: PreviewEntry, isWhole: boolean): readonly PictureSource[] {
  const original: PictureSource = { url: originalUrl(entry), isWhole: true };
  if (isDecodedByBrowser(entry)) {
    if (isWhole || !pageConfig.ResizePreview) return [original];
    return [{ url: pictureUrl(entry, 'big'), isWhole: false }, original];
  }
  const made: PictureSource = { url: pictureUrl(entry, 'big'), isWhole: false };
  return isDecodedHere(entry) ? [made, { ...original, isDecodedHere: true }] : [made];
}
