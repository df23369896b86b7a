import { loadBytes } from '../loading/load-bytes.ts';

/** Larger files are not decoded in the page. */
const limitBytes = 64 * 1024 * 1024;
/** A decoded picture takes four bytes for each pixel. */
const mostPixels = 64 * 1024 * 1024;

/** How a picture is stored (TIFF 6.0, Orientation): quarter turns to the right, and whether it is mirrored first. */
const turns: Readonly<Record<number, { quarters: number; isMirrored: boolean }>> = {
  2: { quarters: 0, isMirrored: true },
  3: { quarters: 2, isMirrored: false },
  4: { quarters: 2, isMirrored: true },
  5: { quarters: 1, isMirrored: true },
  6: { quarters: 1, isMirrored: false },
  7: { quarters: 3, isMirrored: true },
  8: { quarters: 3, isMirrored: false },
};

/** The largest picture of a TIFF, DNG, CR2 or NEF file, upright, as a PNG. Throws when none of them can be read. */
export async function decodeTiff(url: string, signal: AbortSignal): Promise<Blob> {
  const [UTIF, bytes] = await Promise.all([import('utif2'), loadBytes(url, { signal, limitBytes })]);
  const directories = UTIF.decode(bytes.buffer);
  const numberOf = (directory: (typeof directories)[number], tag: number): number => {
    const value = directory[`t${tag}`];
    return Array.isArray(value) ? Number(value[0] ?? 0) : 0;
  };
  const areaOf = (directory: (typeof directories)[number]): number =>
    numberOf(directory, 256) * numberOf(directory, 257);
  const fitting = directories.filter((one) => areaOf(one) > 0 && areaOf(one) <= mostPixels);
  const [largest] = fitting.sort((a, b) => areaOf(b) - areaOf(a));
  if (!largest) throw new Error('There is no picture in it.');
  UTIF.decodeImage(bytes.buffer, largest);
  signal.throwIfAborted();
  const { width, height } = largest;
  const plain = new OffscreenCanvas(width, height);
  const pixels = new ImageData(new Uint8ClampedArray(UTIF.toRGBA8(largest)), width, height);
  plain.getContext('2d')?.putImageData(pixels, 0, 0);
  const turn = turns[numberOf(largest, 274)];
  if (!turn) return plain.convertToBlob({ type: 'image/png' });
  const isAcross = turn.quarters % 2 === 1;
  const upright = new OffscreenCanvas(isAcross ? height : width, isAcross ? width : height);
  const context = upright.getContext('2d');
  context?.translate(upright.width / 2, upright.height / 2);
  context?.rotate((turn.quarters * Math.PI) / 2);
  if (turn.isMirrored) context?.scale(-1, 1);
  context?.drawImage(plain, -width / 2, -height / 2);
  return upright.convertToBlob({ type: 'image/png' });
}
