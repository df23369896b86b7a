import { getPreview, type PreviewSize } from '@filestead/contract/previews';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { urlOf } from './call.ts';

/** The file of a picture, and the time that identifies its state. */
interface PicturedFile {
  readonly path: VirtualPath;
  readonly modifiedMs: number;
}

/** Returns the address of the picture that the server generates of a file; it changes with the file. */
export const previewUrl = ({ path, modifiedMs }: PicturedFile, size: PreviewSize): string =>
  urlOf(getPreview, { path, params: { size }, query: { inline: 'true', key: String(modifiedMs) } });
