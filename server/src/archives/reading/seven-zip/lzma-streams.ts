import { crc32 } from 'node:zlib';

/** Bytes in the order of a stream. */
type Bytes = AsyncIterable<Uint8Array>;

/** A filter of an xz stream: its identifier (xz-file-format.txt §5.3), and its settings. */
export interface XzFilter {
  readonly id: number;
  readonly settings: Uint8Array;
}

const lzma2Id = 0x21;
/** The dictionary size of {@link storedAsLzma2}, encoded as in LZMA2: 1 MiB. */
const storedDictionary = 16;
/** The maximum content of an LZMA2 chunk without compression, in bytes. */
const chunkBytes = 64 * 1024;

function withChecksum(bytes: Uint8Array): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([bytes, checksum]);
}

/**
 * Returns the beginning of an xz stream whose block has these filters, the last one being applied first: the stream header without a
 * check, and the header of the block without sizes. LZMA2 data follow. The end of the stream is left out: a decoder returns the whole
 * content before it reads it.
 */
function xzHeaders(filters: readonly XzFilter[]): Buffer {
  const fields = filters.flatMap(({ id, settings }) => [id, settings.length, ...settings]);
  const unpadded = [0, filters.length - 1, ...fields];
  const padding = Array.from({ length: (4 - (unpadded.length % 4)) % 4 }, () => 0);
  const block = Buffer.from([...unpadded, ...padding]);
  block.writeUInt8(block.length / 4, 0);
  const flags = Buffer.from([0, 0]);
  return Buffer.concat([
    Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
    withChecksum(flags),
    withChecksum(block),
  ]);
}

/** Returns the bytes of LZMA2 data of 7z as an xz stream. `dictionary` is the dictionary size, encoded as in LZMA2. */
export async function* lzma2AsXz(
  source: Bytes,
  dictionary: number,
  filters: readonly XzFilter[],
): AsyncGenerator<Uint8Array> {
  yield xzHeaders([...filters, { id: lzma2Id, settings: Uint8Array.of(dictionary) }]);
  yield* source;
}

/** Returns plain bytes as an xz stream with `filters`, so that a decoder of xz applies these. */
export async function* plainAsXz(source: Bytes, filters: readonly XzFilter[]): AsyncGenerator<Uint8Array> {
  yield* lzma2AsXz(storedAsLzma2(source), storedDictionary, filters);
}

/** Returns plain bytes as LZMA2 chunks without compression. */
async function* storedAsLzma2(source: Bytes): AsyncGenerator<Uint8Array> {
  let control = 1;
  for await (const piece of source) {
    for (let start = 0; start < piece.length; start += chunkBytes) {
      const chunk = piece.subarray(start, start + chunkBytes);
      const header = Buffer.alloc(3);
      header.writeUInt8(control, 0);
      header.writeUInt16BE(chunk.length - 1, 1);
      yield Buffer.concat([header, chunk]);
      // Only the first chunk resets the dictionary.
      control = 2;
    }
  }
  yield Buffer.of(0);
}

/** Returns LZMA data of 7z as a `.lzma` file: its header consists of the settings and the size of the content. */
export async function* lzmaAsFile(
  source: Bytes,
  { settings, dictionaryBytes, size }: { settings: number; dictionaryBytes: number; size: number },
): AsyncGenerator<Uint8Array> {
  const header = Buffer.alloc(13);
  header.writeUInt8(settings, 0);
  header.writeUInt32LE(roundedDictionary(dictionaryBytes), 1);
  header.writeBigUInt64LE(BigInt(size), 5);
  yield header;
  yield* source;
}

/** Rounds a dictionary size up to 2^n or 2^n + 2^(n-1) bytes, which are the only ones that liblzma recognizes in a file. */
export function roundedDictionary(bytes: number): number {
  for (let power = 4096; power < 2 ** 32; power *= 2) {
    if (bytes <= power) return power;
    if (bytes <= power * 1.5) return power * 1.5;
  }
  return 2 ** 32 - 1;
}

/** Decodes a dictionary size of LZMA2 to bytes; NaN if it is invalid. */
export const lzma2DictionaryBytes = (dictionary: number): number =>
  dictionary > 40
    ? Number.NaN
    : dictionary === 40
      ? 2 ** 32 - 1
      : (2 | (dictionary & 1)) * 2 ** ((dictionary >> 1) + 11);

/** Returns the encoded size of the smallest LZMA2 dictionary with at least `bytes`. */
export function lzma2Dictionary(bytes: number): number {
  let dictionary = 0;
  while (dictionary < 40 && lzma2DictionaryBytes(dictionary) < bytes) dictionary += 1;
  return dictionary;
}
