import { boxAt, boxesIn } from '../embedded/boxes.ts';
import { PictureTooLargeError, UnreadablePictureError } from './picture-errors.ts';
import type { Pixels } from './pixels.ts';

/** The decoder's view of a picture before decoding. Its type declarations omit the sizes. */
interface Undecoded {
  readonly width: number;
  readonly height: number;
  decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
}

const isUndecoded = (value: unknown): value is Undecoded =>
  typeof value === 'object' &&
  value !== null &&
  'width' in value &&
  typeof value.width === 'number' &&
  'height' in value &&
  typeof value.height === 'number' &&
  'decode' in value;

/** Returns the color profile of a HEIC file (ISO/IEC 23008-12 §6.5.5, `colr`), or null. */
export function profileOf(file: Buffer): Buffer | null {
  // The boxes in `meta` follow its version field.
  const properties = boxAt(file, ['meta', 'iprp', 'ipco'], { meta: 4 });
  if (properties === null) return null;
  for (const { type, start, end } of boxesIn(properties)) {
    if (type !== 'colr' || end - start < 4 + 128) continue;
    if (['prof', 'rICC'].includes(properties.toString('latin1', start, start + 4)))
      return properties.subarray(start + 4, end);
  }
  return null;
}

/**
 * Decodes the first picture of a HEIC file in its stored orientation. Throws {@link UnreadablePictureError} and {@link
 * PictureTooLargeError}.
 */
export async function decodeHeic(
  file: Buffer,
  maxPixels: number,
): Promise<{ pixels: Pixels; profile: Buffer | null }> {
  // Loaded with the first such picture: it takes half of the start of a decoder.
  const { default: decodeHeicFile } = await import('heic-decode');
  let pictures: unknown[];
  try {
    pictures = await decodeHeicFile.all({ buffer: file });
  } catch (error) {
    throw new UnreadablePictureError('is not a HEIC file', { cause: error });
  }
  const [first] = pictures;
  if (!isUndecoded(first)) throw new UnreadablePictureError('contains no picture');
  if (first.width * first.height > maxPixels) throw new PictureTooLargeError();
  try {
    const { width, height, data } = await first.decode();
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return { pixels: { data: bytes, width, height, channels: 4 }, profile: profileOf(file) };
  } catch (error) {
    throw new UnreadablePictureError('is a damaged HEIC file', { cause: error });
  }
}
