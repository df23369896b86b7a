import { type BoundedReader, boundedPart } from './bounded-reader.ts';
import { boxAt, boxesBetween, boxesIn } from './boxes.ts';
import { type EmbeddedPicture, type PictureRange, picturesAt } from './pictures-at.ts';
import { readOrientation } from './tiff-directories.ts';

/**
 * UUID of Canon's box in `moov` that contains metadata and the small picture (description of the format:
 * lclevy/canon_cr3).
 */
const metadataId = '85c0b687820f11e08111f4ce462b6a48';
/** UUID of the box beside `moov` that contains the picture of medium size. */
const previewId = 'eaf42b5e1c984b88b9fbb7dc406e4d16';
const idBytes = 16;
/** Size of the header in the box of the medium picture. */
const previewHeadBytes = 8;

/** Maximum size of `moov`. Real files have about 100 KiB. */
const maxMoovBytes = 8 * 1024 * 1024;
/** Distance from the start of a box within which a picture has to begin. */
const pictureHeadBytes = 64;

/** Finds the start of the JPEG stream in a box. The length of the header before it depends on its version. */
async function pictureIn(reader: BoundedReader, start: number, end: number): Promise<PictureRange[]> {
  const head = await reader.read(start, Math.min(pictureHeadBytes, end - start));
  const at = head.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
  return at < 0 ? [] : [{ position: start + at, length: end - start - at }];
}

/** Returns the first sample of each track. One of them is the full-size picture. */
function samplesIn(moov: Buffer): PictureRange[] {
  const ranges: PictureRange[] = [];
  for (const track of boxesIn(moov).filter(({ type }) => type === 'trak')) {
    const table = boxAt(moov.subarray(track.start, track.end), ['mdia', 'minf', 'stbl']);
    if (table === null) continue;
    const sizes = boxAt(table, ['stsz']);
    const offsets = boxAt(table, ['co64']);
    if (sizes === null || sizes.length < 12 || offsets === null || offsets.length < 16) continue;
    const commonLength = sizes.readUInt32BE(4);
    const length = commonLength > 0 ? commonLength : sizes.length >= 16 ? sizes.readUInt32BE(12) : 0;
    ranges.push({ position: Number(offsets.readBigUInt64BE(8)), length });
  }
  return ranges;
}

/** Finds the pictures in a CR3 file. Throws {@link UnusableFileError}. */
export async function findInCanonBoxes(reader: BoundedReader): Promise<EmbeddedPicture[]> {
  const ranges: PictureRange[] = [];
  let orientation = 1;
  for await (const box of boxesBetween(reader, 0, reader.size)) {
    if (box.type === 'uuid' && box.end - box.start > idBytes + previewHeadBytes + 8) {
      const id = (await reader.read(box.start, idBytes)).toString('hex');
      if (id !== previewId) continue;
      ranges.push(...(await pictureIn(reader, box.start + idBytes + previewHeadBytes + 8, box.end)));
    }
    if (box.type !== 'moov' || box.end - box.start > maxMoovBytes) continue;
    const moov = await reader.read(box.start, box.end - box.start);
    ranges.push(...samplesIn(moov));
    const own = boxesIn(moov).find(
      ({ type, start }) => type === 'uuid' && moov.toString('hex', start, start + idBytes) === metadataId,
    );
    if (own === undefined) continue;
    const inner = boxesIn(moov, own.start + idBytes, own.end);
    const metadata = inner.find(({ type }) => type === 'CMT1');
    if (metadata !== undefined)
      orientation = (await readOrientation(boundedPart(moov.subarray(metadata.start, metadata.end)))) ?? 1;
    for (const { start, end } of inner.filter(({ type }) => type === 'THMB'))
      ranges.push(...(await pictureIn(reader, box.start + start, box.start + end)));
  }
  return picturesAt(reader, ranges, orientation);
}
