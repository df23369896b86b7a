import { type Decoder, InputBuffer } from './input-buffer.ts';

/** The first bytes of frames, as described in `lz4_Frame_format.md` of the LZ4 project; blocks are in `lz4_Block_format.md`. */
const frameMagic = 0x184d2204;
const skippableMagic = 0x184d2a50;
/** Matches reach back at most this far, also into the blocks before. */
const historyBytes = 64 * 1024;
/** The maximum sizes of blocks by the number in the frame descriptor. */
const blockSizes: readonly number[] = [0, 0, 0, 0, 64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024];

const uint32 = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);

/** Decodes concatenated LZ4 frames. The checksums are not verified; block lengths and offsets are. */
export function* decodeLz4(): Decoder {
  const input = new InputBuffer();
  while (yield* input.fill(1)) {
    const magic = uint32(yield* input.take(4));
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      let rest = uint32(yield* input.take(4));
      while (rest > 0) {
        if (!(yield* input.fill(1))) throw new Error('the LZ4 data is truncated');
        const count = Math.min(rest, input.length);
        input.skip(count);
        rest -= count;
      }
    } else if (magic === frameMagic) {
      yield* decodeFrame(input);
    } else {
      throw new Error('not an LZ4 frame');
    }
  }
}

function* decodeFrame(input: InputBuffer): Decoder {
  const [flags = 0, descriptor = 0] = yield* input.take(2);
  const maxBlockBytes = blockSizes[(descriptor >> 4) & 7] ?? 0;
  if (flags >> 6 !== 1 || maxBlockBytes === 0) throw new Error('an unknown version of LZ4 frames');
  if ((flags & 1) !== 0) throw new Error('an LZ4 frame with a dictionary');
  const hasContentSize = (flags & 8) !== 0;
  yield* input.take((hasContentSize ? 8 : 0) + 1);
  const hasBlockChecksum = (flags & 16) !== 0;
  const hasContentChecksum = (flags & 4) !== 0;
  let history = new Uint8Array(0);
  for (;;) {
    const header = uint32(yield* input.take(4));
    if (header === 0) break;
    const isStored = header >>> 31 === 1;
    const length = header & 0x7fffffff;
    if (length > maxBlockBytes) throw new Error('an LZ4 block is too long');
    const block = yield* input.take(length);
    const output = isStored ? block.slice() : decodeBlock(block, history, maxBlockBytes);
    const joined = new Uint8Array(Math.min(historyBytes, history.length + output.length));
    const fromOutput = Math.min(output.length, joined.length);
    joined.set(history.subarray(history.length - (joined.length - fromOutput)));
    joined.set(output.subarray(output.length - fromOutput), joined.length - fromOutput);
    history = joined;
    if (output.length > 0) yield output;
    if (hasBlockChecksum) yield* input.take(4);
  }
  if (hasContentChecksum) yield* input.take(4);
}

/** Decodes one block, whose matches may begin in `history`. */
function decodeBlock(block: Uint8Array, history: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const before = history.length;
  const output = new Uint8Array(before + maxBytes);
  output.set(history);
  let written = before;
  let position = 0;
  const readLength = (start: number): number => {
    let length = start;
    if (start !== 15) return length;
    for (;;) {
      const byte = block[position++];
      if (byte === undefined) throw new Error('an LZ4 block is truncated');
      length += byte;
      if (byte !== 255) return length;
    }
  };
  while (position < block.length) {
    const token = block[position++] ?? 0;
    const literals = readLength(token >> 4);
    if (position + literals > block.length || written + literals > output.length)
      throw new Error('an LZ4 block is damaged');
    output.set(block.subarray(position, position + literals), written);
    position += literals;
    written += literals;
    if (position === block.length) break;
    const offset = (block[position] ?? 0) | ((block[position + 1] ?? 0) << 8);
    position += 2;
    const length = readLength(token & 15) + 4;
    if (position > block.length || offset === 0 || offset > written || written + length > output.length)
      throw new Error('an LZ4 block is damaged');
    // The match may overlap the bytes that it creates.
    for (let i = 0; i < length; i++) output[written + i] = output[written - offset + i] ?? 0;
    written += length;
  }
  return output.slice(before, written);
}
