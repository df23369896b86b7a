import { pageConfig } from '../../../api/page-config.ts';
import type { FileAddresses } from '../file-addresses.ts';
import { isDecodedByBrowser, isDecodedHere, type PreviewEntry } from '../preview-entry.ts';

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
export function pictureSources(
  entry: PreviewEntry,
  isWhole: boolean,
  addresses: FileAddresses,
): readonly PictureSource[] {
  const original: PictureSource = { url: addresses.original(entry.path, entry.modifiedMs), isWhole: true };
  if (isDecodedByBrowser(entry)) {
    if (isWhole || !pageConfig.ResizePreview) return [original];
    return [{ url: addresses.picture(entry, 'big'), isWhole: false }, original];
  }
  const made: PictureSource = { url: addresses.picture(entry, 'big'), isWhole: false };
  return isDecodedHere(entry) ? [made, { ...original, isDecodedHere: true }] : [made];
}
