import { pageConfig } from '../../../api/page-config.ts';
import type { FileAddresses } from '../file-addresses.ts';
import { isDecodedByBrowser, isDecodedInPage, type PreviewEntry } from '../preview-entry.ts';

/** An address of a picture of a file. */
export interface PictureSource {
  readonly url: string;
  /** Whether the picture has all pixels of the original. */
  readonly isFullSize: boolean;
  /** Whether the bytes are decoded in the page instead of by the browser. */
  readonly isDecodedInPage?: true;
}

/** Whether the image is shown reduced at first, so that the full size is optional. */
export const hasSmallerPicture = (entry: PreviewEntry): boolean =>
  pageConfig.ResizePreview && isDecodedByBrowser(entry);

/** Returns the sources of an image in the order in which they are tried. `isFullSize` requests all its pixels. */
export function pictureSources(
  entry: PreviewEntry,
  isFullSize: boolean,
  addresses: FileAddresses,
): readonly PictureSource[] {
  const original: PictureSource = { url: addresses.original(entry.path, entry.modifiedMs), isFullSize: true };
  if (isDecodedByBrowser(entry)) {
    if (isFullSize || !pageConfig.ResizePreview) return [original];
    return [{ url: addresses.picture(entry, 'big'), isFullSize: false }, original];
  }
  const reduced: PictureSource = { url: addresses.picture(entry, 'big'), isFullSize: false };
  return isDecodedInPage(entry) ? [reduced, { ...original, isDecodedInPage: true }] : [reduced];
}
