import { AppError } from '../http/app-error.ts';
import type { OpenFile } from '../storage/storage.ts';
import type { MadePicture } from './decoder/decode-picture.ts';
import { DecoderEndedError } from './decoder/decoder.ts';
import type { DecoderPool } from './decoder/decoder-pool.ts';
import type { DecodeRequest, PictureKind } from './decoder/protocol.ts';
import { boundedReader } from './embedded/bounded-reader.ts';
import { findCover } from './embedded/find-cover.ts';
import { findEmbeddedPicture } from './embedded/find-embedded-picture.ts';
import { boxPx, maxPictureBytes } from './limits.ts';
import { type Source, pictureKindOf } from './recognise.ts';
import type { TakeFrame } from './video-frame.ts';

/** What is asked for, whatever the file is. */
export type Wanted = Pick<DecodeRequest, 'size' | 'isForBrowser'>;

/** What {@link makePreview} works with. */
export interface Makers {
  readonly decoders: Pick<DecoderPool, 'run'>;
  readonly takeFrame: TakeFrame;
}

/** Bytes that a decoder is to make small. */
interface Found {
  readonly kind: PictureKind;
  readonly bytes: Buffer;
  readonly orientation: number | null;
}

/** Reads a part of `file` whole; it is looked at in between whether anybody still waits. */
async function readPart(
  file: OpenFile,
  { position, length }: { position: number; length: number },
  signal: AbortSignal,
): Promise<Buffer> {
  if (length > maxPictureBytes) throw new AppError('image_too_large');
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    signal.throwIfAborted();
    const read = await file.read(buffer.subarray(filled), position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

async function readEmbedded(file: OpenFile, wanted: Wanted, signal: AbortSignal): Promise<Found> {
  const picture = await findEmbeddedPicture(boundedReader(file), boxPx[wanted.size]);
  if (picture === null) throw new AppError('no_preview', 'The file holds no picture that can be shown.');
  return { kind: 'jpeg', bytes: await readPart(file, picture, signal), orientation: picture.orientation };
}

async function readFrame(file: OpenFile, takeFrame: TakeFrame, signal: AbortSignal): Promise<Found> {
  const bytes = file.descriptor === null ? null : await takeFrame(file.descriptor, signal);
  if (bytes === null) throw new AppError('no_preview', 'No picture can be taken out of the video.');
  return { kind: 'jpeg', bytes, orientation: 1 };
}

async function readCover(file: OpenFile, signal: AbortSignal): Promise<Found> {
  const place = await findCover(boundedReader(file));
  if (place === null) throw new AppError('no_preview', 'The recording holds no cover.');
  const bytes = await readPart(file, place, signal);
  const kind = pictureKindOf(bytes);
  if (kind === null) throw new AppError('no_preview', 'The cover is of an unknown kind.');
  return { kind, bytes, orientation: null };
}

async function findBytes(
  file: OpenFile,
  source: Source,
  { wanted, makers, signal }: { wanted: Wanted; makers: Makers; signal: AbortSignal },
): Promise<Found> {
  switch (source.way) {
    case 'embedded':
      return readEmbedded(file, wanted, signal);
    case 'frame':
      return readFrame(file, makers.takeFrame, signal);
    case 'cover':
      return readCover(file, signal);
    case 'decode':
    case 'original': {
      if (source.kind === null) break;
      const whole = { position: 0, length: file.entry.size };
      return { kind: source.kind, bytes: await readPart(file, whole, signal), orientation: null };
    }
    case 'broken':
      throw new AppError('broken_image');
    default:
  }
  throw new AppError('no_preview');
}

/**
 * Makes a small picture of an open file. Throws `no_preview`, `broken_image`, `image_too_large`, and the reason of `signal`.
 */
export async function makePreview(
  file: OpenFile,
  source: Source,
  parts: { wanted: Wanted; makers: Makers; signal: AbortSignal },
): Promise<MadePicture> {
  const { wanted, makers, signal } = parts;
  const { kind, bytes, orientation } = await findBytes(file, source, parts);
  signal.throwIfAborted();
  try {
    const { json, bytes: made } = await makers.decoders.run({ ...wanted, kind, orientation }, bytes);
    if (json.outcome === 'made') return { mediaType: json.mediaType, bytes: made };
    throw new AppError(json.outcome === 'too_large' ? 'image_too_large' : 'broken_image');
  } catch (error) {
    if (error instanceof DecoderEndedError) throw new AppError('broken_image', undefined, { cause: error });
    throw error;
  }
}
