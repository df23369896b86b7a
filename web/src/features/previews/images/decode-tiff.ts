import { loadBytes } from '../loading/load-bytes.ts';

/** Maximum size of a file that is decoded in the page. */
const limitBytes = 64 * 1024 * 1024;
/** Maximum number of pixels; each takes four bytes once decoded. */
const maxPixels = 64 * 1024 * 1024;

/**
 * The TIFF orientations (TIFF 6.0, Orientation): clockwise quarter turns, and whether the picture is mirrored first.
 */
const orientations: Readonly<Record<number, { quarters: number; isMirrored: boolean }>> = {
  2: { quarters: 0, isMirrored: true },
  3: { quarters: 2, isMirrored: false },
  4: { quarters: 2, isMirrored: true },
  5: { quarters: 1, isMirrored: true },
  6: { quarters: 1, isMirrored: false },
  7: { quarters: 3, isMirrored: true },
  8: { quarters: 3, isMirrored: false },
};

/** Decodes the largest picture of a TIFF, DNG, CR2 or NEF file, upright, as a PNG. Throws when none can be decoded. */
export async function decodeTiff(url: string, signal: AbortSignal): Promise<Blob> {
  const [UTIF, bytes] = await Promise.all([import('utif2'), loadBytes(url, { signal, limitBytes })]);
  const directories = UTIF.decode(bytes.buffer);
  const readTag = (directory: (typeof directories)[number], tag: number): number => {
    const value = directory[`t${tag}`];
    return Array.isArray(value) ? Number(value[0] ?? 0) : 0;
  };
  const areaOf = (directory: (typeof directories)[number]): number =>
    readTag(directory, 256) * readTag(directory, 257);
  const fitting = directories.filter((one) => areaOf(one) > 0 && areaOf(one) <= maxPixels);
  const [largest] = fitting.sort((a, b) => areaOf(b) - areaOf(a));
  if (!largest) throw new Error('The file contains no picture.');
  UTIF.decodeImage(bytes.buffer, largest);
  signal.throwIfAborted();
  const { width, height } = largest;
  const canvas = new OffscreenCanvas(width, height);
  const pixels = new ImageData(new Uint8ClampedArray(UTIF.toRGBA8(largest)), width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  const orientation = orientations[readTag(largest, 274)];
  if (!orientation) return canvas.convertToBlob({ type: 'image/png' });
  const isAcross = orientation.quarters % 2 === 1;
  const upright = new OffscreenCanvas(isAcross ? height : width, isAcross ? width : height);
  const context = upright.getContext('2d');
  context?.translate(upright.width / 2, upright.height / 2);
  context?.rotate((orientation.quarters * Math.PI) / 2);
  if (orientation.isMirrored) context?.scale(-1, 1);
  context?.drawImage(canvas, -width / 2, -height / 2);
  return upright.convertToBlob({ type: 'image/png' });
}
