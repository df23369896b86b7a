import { extensionOf } from '@filestead/contract/paths/virtual-path';
import type { MediaInfo } from '@filestead/contract/previews';
import { pictureFormatOf } from '@filestead/contract/values/picture-formats';
import { mediaTypeOfName } from '../../media-types/media-type.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { type BoundedReader, UnusableFileError } from '../embedded/bounded-reader.ts';
import { placeAt } from '../places/place-at.ts';
import { pictureKindOf } from '../recognize.ts';
import { readFlac, readId3 } from './audio-tags.ts';
import { readHeif } from './heif-header.ts';
import { readMatroska } from './matroska-header.ts';
import { readMp4 } from './mp4-header.ts';
import { headerReader } from './part-reader.ts';
import type { Recording } from './recording.ts';
import * as stills from './still-header.ts';

/** Pictures and videos with more pixels at one side are reported as unknown. */
const maxSidePx = 1_000_000;
/** Number of bytes at the start of a file by which its format is detected. */
const signatureBytes = 64;

async function readStill(
  reader: BoundedReader,
  name: string,
  head: Buffer,
): Promise<stills.StillHeader | null> {
  if (extensionOf(name).toLowerCase() === '.svg') return stills.readSvg(reader);
  if (pictureFormatOf(name)?.isRaw === true) return stills.readTiff(reader);
  switch (pictureKindOf(head)) {
    case 'jpeg':
      return stills.readJpeg(reader);
    case 'png':
      return stills.readPng(reader);
    case 'gif':
      return stills.readGif(reader);
    case 'bmp':
      return stills.readBmp(reader);
    case 'webp':
      return stills.readWebp(reader);
    case 'tiff':
      return stills.readTiff(reader);
    case 'heic':
    case 'avif':
      return readHeif(reader);
    default:
      return null;
  }
}

async function readRecording(reader: BoundedReader, head: Buffer): Promise<Recording | null> {
  const text = head.toString('latin1');
  if (text.startsWith('ID3')) return readId3(reader);
  if (text.startsWith('fLaC')) return readFlac(reader);
  if (text.startsWith('\x1a\x45\xdf\xa3')) return readMatroska(reader);
  return ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(text.slice(4, 8)) ? readMp4(reader) : null;
}

/** Returns the properties of a picture as it is shown; null when its size is impossible. */
async function presentStill(header: stills.StillHeader): Promise<MediaInfo | null> {
  const { orientation = 1, width, height, ...exif } = header;
  const isPossible = width > 0 && height > 0 && width <= maxSidePx && height <= maxSidePx;
  if (!isPossible) return null;
  const isTurned = orientation >= 5;
  const place = exif.position === undefined ? null : await placeAt(exif.position);
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    ...exif,
    ...(place !== null && { place }),
  };
}

/**
 * Reads the header of a picture, video or audio file; null for other files, and when it is malformed. Pixels are never decoded.
 */
export async function readMedia(
  name: string,
  file: Pick<OpenFile, 'entry' | 'read'>,
): Promise<MediaInfo | null> {
  const mediaType = mediaTypeOfName(name) ?? '';
  const isPicture = mediaType.startsWith('image/') || pictureFormatOf(name) !== undefined;
  if (!isPicture && !/^(?:audio|video)\//.test(mediaType)) return null;
  try {
    const reader = await headerReader(file);
    if (reader.size < 16) return null;
    const head = await reader.read(0, Math.min(signatureBytes, reader.size));
    if (isPicture) {
      const still = await readStill(reader, name, head);
      return still === null ? null : await presentStill(still);
    }
    const recording = await readRecording(reader, head);
    if (recording === null) return null;
    const { width = 0, height = 0, ...others } = recording;
    const isPossible = width <= maxSidePx && height <= maxSidePx;
    return { width: isPossible ? width : 0, height: isPossible ? height : 0, ...others };
  } catch (error) {
    // A header that ends too early, or numbers beyond it.
    if (error instanceof UnusableFileError || error instanceof RangeError) return null;
    throw error;
  }
}
