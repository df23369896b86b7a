import { AppError } from '../errors.ts';
import type { OpenFile } from '../storage/storage.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';
import { DecoderEndedError, DecoderStartError } from './decoder/decoder.ts';
import type { DecoderPool } from './decoder/decoder-pool.ts';
import type { DecodeResponse, DecodeRequest, Message, PictureKind } from './decoder/protocol.ts';
import { boundedReader } from './embedded/bounded-reader.ts';
import { findCover } from './embedded/find-cover.ts';
import { findEmbeddedPicture } from './embedded/find-embedded-picture.ts';
import type { PictureRange } from './embedded/pictures-at.ts';
import { boxPx, maxPictureBytes } from './limits.ts';
import type { MissingTool } from './missing-tools.ts';
import { type Source, pictureKindOf, recognizedBytes } from './recognize.ts';
import type { ExtractFrame } from './video-frame.ts';

/** The size and purpose of the requested preview, independent of the file. */
export type PreviewVariant = Pick<DecodeRequest, 'size' | 'isForBrowser'>;

/** The dependencies of {@link makePreview}. */
export interface PreviewTools {
  readonly decoders: Pick<DecoderPool, 'run'>;
  readonly extractFrame: ExtractFrame;
  /** Called when something that previews need is missing on this machine. */
  readonly onMissing?: (tool: MissingTool) => void;
}

/** The input of a decoder: bytes, or their position in the file. */
interface DecoderInput {
  readonly kind: PictureKind;
  readonly content: Buffer | PictureRange;
  readonly orientation: number | null;
}

const noBytes = Buffer.alloc(0);

/** Reads a part of `file` completely. Checks `signal` between reads. */
async function readPart(
  file: OpenFile,
  { position, length }: { position: number; length: number },
  signal: AbortSignal,
): Promise<Buffer> {
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

async function findEmbedded(file: OpenFile, { size }: PreviewVariant): Promise<DecoderInput> {
  const picture = await findEmbeddedPicture(boundedReader(file), boxPx[size]);
  if (picture === null) throw new AppError('no_preview', 'The file contains no supported picture.');
  return { kind: 'jpeg', content: picture, orientation: picture.orientation };
}

async function findFrame(
  file: OpenFile,
  extractFrame: ExtractFrame,
  signal: AbortSignal,
): Promise<DecoderInput> {
  const content = file.descriptor === null ? null : await extractFrame(file.descriptor, signal);
  if (content === null) throw new AppError('no_preview', 'No frame can be extracted from the video.');
  return { kind: 'jpeg', content, orientation: 1 };
}

async function findCoverOf(file: OpenFile, signal: AbortSignal): Promise<DecoderInput> {
  const cover = await findCover(boundedReader(file));
  if (cover === null) throw new AppError('no_preview', 'The audio file contains no cover.');
  const head = await readPart(file, { ...cover, length: Math.min(cover.length, recognizedBytes) }, signal);
  const kind = pictureKindOf(head);
  if (kind === null) throw new AppError('no_preview', 'The cover has an unsupported format.');
  return { kind, content: cover, orientation: null };
}

async function findPicture(
  file: OpenFile,
  source: Source,
  { variant, tools, signal }: { variant: PreviewVariant; tools: PreviewTools; signal: AbortSignal },
): Promise<DecoderInput> {
  switch (source.way) {
    case 'embedded':
      return findEmbedded(file, variant);
    case 'frame':
      return findFrame(file, tools.extractFrame, signal);
    case 'cover':
      return findCoverOf(file, signal);
    case 'decode':
    case 'original': {
      if (source.kind === null) break;
      return { kind: source.kind, content: { position: 0, length: file.entry.size }, orientation: null };
    }
    case 'broken':
      throw new AppError('broken_image');
    default:
  }
  throw new AppError('no_preview');
}

/** Returns the path under which other processes can open an open file; null where the system does not support that. */
const addressOf = ({ descriptor }: OpenFile): string | null =>
  descriptor === null || process.platform !== 'linux' ? null : `/proc/${process.pid}/fd/${descriptor}`;

async function decode(
  file: OpenFile,
  { content, ...decoderInput }: DecoderInput,
  { variant, tools, signal }: { variant: PreviewVariant; tools: PreviewTools; signal: AbortSignal },
): Promise<Message<DecodeResponse>> {
  if (content.length > maxPictureBytes) throw new AppError('image_too_large');
  const request = { ...variant, ...decoderInput, part: null };
  if (Buffer.isBuffer(content)) return tools.decoders.run(request, content);
  const address = addressOf(file);
  if (address !== null) {
    const { position, length } = content;
    const response = await tools.decoders.run({ ...request, part: { address, position, length } }, noBytes);
    if (response.json.outcome !== 'unopened') return response;
  }
  return tools.decoders.run(request, await readPart(file, content, signal));
}

/**
 * Makes a preview of an open file. Throws `no_preview`, `broken_image`, `image_too_large`, and the reason of `signal`.
 */
export async function makePreview(
  file: OpenFile,
  source: Source,
  parts: { variant: PreviewVariant; tools: PreviewTools; signal: AbortSignal },
): Promise<EncodedPicture> {
  const { tools } = parts;
  const decoderInput = await findPicture(file, source, parts);
  parts.signal.throwIfAborted();
  try {
    const { json, bytes } = await decode(file, decoderInput, parts);
    if (json.outcome === 'made') return { mediaType: json.mediaType, bytes };
    throw new AppError(json.outcome === 'too_large' ? 'image_too_large' : 'broken_image');
  } catch (error) {
    if (error instanceof DecoderStartError) {
      tools.onMissing?.('decoder');
      throw new AppError('no_preview', 'The server cannot decode pictures.', { cause: error });
    }
    if (error instanceof DecoderEndedError) throw new AppError('broken_image', undefined, { cause: error });
    throw error;
  }
}
