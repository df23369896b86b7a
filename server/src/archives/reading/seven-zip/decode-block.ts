import type { ErrorCode } from '@filestead/contract/errors';
import { AppError } from '../../../errors.ts';
import type { OpenFile } from '../../../storage/storage.ts';
import { type Compression, decompress } from '../../decoding/decompress.ts';
import { readBytes } from '../file-bytes.ts';
import { damaged } from './header-reader.ts';
import {
  lzma2AsXz,
  lzma2Dictionary,
  lzma2DictionaryBytes,
  lzmaAsFile,
  plainAsXz,
  type XzFilter,
} from './lzma-streams.ts';
import type { Block, Coder } from './parse-streams.ts';

type Bytes = AsyncGenerator<Uint8Array>;

/** The maximum dictionary of a block, in bytes. A decoder needs as much memory. */
const maxDictionaryBytes = 128 * 1024 * 1024;
/** The maximum number of filters of an xz block besides LZMA2. */
const maxXzFilters = 3;

/** The methods that programs use, by their identifiers (Methods.txt of the LZMA SDK). */
const copy = '00';
const lzma = '030101';
const lzma2 = '21';
const compressions = new Map<string, Compression>([
  ['040108', 'deflate'],
  ['040202', 'bzip2'],
  ['04f71101', 'zstd'],
  ['04f71104', 'lz4'],
]);
/** The filters that xz has too, by their identifiers in 7z. */
const filterIds = new Map<string, number>([
  ['03', 0x03],
  ['04', 0x04],
  ['03030103', 0x04],
  ['05', 0x05],
  ['03030205', 0x05],
  ['06', 0x06],
  ['03030401', 0x06],
  ['07', 0x07],
  ['03030501', 0x07],
  ['08', 0x08],
  ['03030701', 0x08],
  ['09', 0x09],
  ['03030805', 0x09],
  ['0a', 0x0a],
  ['0b', 0x0b],
]);
const maxFilterSettings = 4;

/** Returns the dictionary of a coder in bytes, but not more than its content needs; NaN if the settings are invalid. */
function dictionaryOf({ method, settings, size }: Coder): number {
  const valid = method === lzma2 ? settings.length === 1 : settings.length === 5;
  if (!valid) return Number.NaN;
  const bytes = method === lzma2 ? lzma2DictionaryBytes(settings.readUInt8(0)) : settings.readUInt32LE(1);
  return Math.min(bytes, Math.max(size, 4096));
}

/** Whether liblzma decodes LZMA data with these settings: it has fewer context bits than 7-Zip, and a limit of 256 GiB. */
function isLzmaSupported({ settings, size }: Coder): boolean {
  const [bits = 255] = settings;
  return bits < 225 && (bits % 9) + (Math.floor(bits / 9) % 5) <= 4 && size < 2 ** 38;
}

function isSupported(coder: Coder): boolean {
  const { method, settings } = coder;
  if (method === lzma && !isLzmaSupported(coder)) return false;
  if (method === lzma || method === lzma2) return dictionaryOf(coder) <= maxDictionaryBytes;
  if (filterIds.has(method)) return settings.length <= maxFilterSettings;
  return method === copy || compressions.has(method);
}

/** Returns the code of the error with which reading a block fails; null for a readable one. */
export function refusalOf({ packed, coders, isEncrypted }: Block): ErrorCode | null {
  if (isEncrypted) return 'archive_encrypted';
  return packed !== null && coders.every(isSupported) ? null : 'unsupported_archive_format';
}

/** Yields the first `size` bytes of `source`. Throws `archive_damaged` if there are fewer. */
async function* firstBytes(source: Bytes, size: number): Bytes {
  let left = size;
  try {
    while (left > 0) {
      const { value, done } = await source.next();
      if (done === true) throw damaged('the data of a block are truncated');
      const piece = value.length > left ? value.subarray(0, left) : value;
      left -= piece.length;
      yield piece;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Returns the bytes that `coder` and the `filters` after it produce from those of `source`. */
function decode(coder: Coder, filters: readonly XzFilter[], source: Bytes): Bytes {
  const { method, settings, size } = coder;
  if (method === lzma2)
    return decompress('xz', lzma2AsXz(source, lzma2Dictionary(dictionaryOf(coder)), filters));
  const compression = compressions.get(method);
  let plain = source;
  if (method === lzma) {
    const file = lzmaAsFile(source, {
      settings: settings.readUInt8(0),
      dictionaryBytes: dictionaryOf(coder),
      size,
    });
    plain = decompress('lzma', file);
  } else if (compression !== undefined) {
    plain = decompress(compression, source);
  }
  if (filters.length === 0) return plain;
  return decompress('xz', plainAsXz(firstBytes(plain, size), filters));
}

/** Yields the content of a block. Throws `archive_damaged`, `archive_encrypted`, `unsupported_archive_format`. */
export function readBlock(file: OpenFile, block: Block, signal?: AbortSignal): Bytes {
  const { packed, coders } = block;
  const refusal = refusalOf(block);
  if (refusal !== null || packed === null) throw new AppError(refusal ?? 'unsupported_archive_format');
  let bytes: Bytes = readBytes(file, packed.position, packed.position + packed.size, signal);
  for (let at = 0; at < coders.length;) {
    const first = coders[at] as Coder;
    const isFilter = filterIds.has(first.method);
    // A filter at the beginning has no coder of its own.
    const coder: Coder = isFilter ? { ...first, method: copy } : first;
    if (!isFilter) at += 1;
    const filters: XzFilter[] = [];
    let { size } = coder;
    for (; filters.length < maxXzFilters; at++) {
      const next = coders[at];
      const id = next === undefined ? undefined : filterIds.get(next.method);
      if (next === undefined || id === undefined) break;
      // The last filter of xz is applied first.
      filters.unshift({ id, settings: next.settings });
      ({ size } = next);
    }
    bytes = firstBytes(decode(coder, filters, bytes), size);
  }
  return bytes;
}
