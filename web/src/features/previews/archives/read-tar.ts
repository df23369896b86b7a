import { maxEntries, type ArchiveContents, type ArchiveEntry, type ReadRange } from './archive-entries.ts';

/** Sequential access to the bytes of a tar archive. */
export interface TarBytes {
  /** Reads the next bytes; fewer at the end. */
  read(length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Skips bytes. */
  skip(length: number): Promise<void>;
}

/** Maximum number of bytes that are read of a stream; the list ends there. */
const readBudgetBytes = 256 * 1024 * 1024;
/** Minimum number of bytes per request. */
const chunkBytes = 256 * 1024;
/** Maximum number of requests for one archive. */
const maxRequests = 400;
const blockBytes = 512;
/** Maximum size of an extended header (long names, pax records). The list ends at a larger one. */
const maxExtendedHeaderBytes = 64 * 1024;

class BudgetSpentError extends Error {}

/** Reads a tar archive by byte ranges. File contents between the headers are not fetched. */
export function tarFromRanges(size: number, read: ReadRange): TarBytes {
  let at = 0;
  let requests = 0;
  let chunkStart = 0;
  let chunk = new Uint8Array(0);
  return {
    async read(length) {
      if (at >= size) return new Uint8Array(0);
      const end = Math.min(size, at + length);
      if (at < chunkStart || end > chunkStart + chunk.length) {
        requests += 1;
        if (requests > maxRequests) throw new BudgetSpentError();
        chunk = await read(at, Math.min(size, at + Math.max(length, chunkBytes)) - 1);
        chunkStart = at;
      }
      const part = chunk.slice(at - chunkStart, end - chunkStart);
      at = end;
      return part;
    },
    skip: (length) => {
      at += length;
      return Promise.resolve();
    },
  };
}

/** Reads a tar archive from a stream. */
export function tarFromStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): TarBytes & { close: () => void } {
  const reader = stream.getReader();
  let rest = new Uint8Array(0);
  let total = 0;
  const readChunk = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    if (done) return false;
    total += value.length;
    if (total > readBudgetBytes) throw new BudgetSpentError();
    rest = value;
    return true;
  };
  return {
    async read(length) {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        if (rest.length === 0 && !(await readChunk())) break;
        const part = rest.subarray(0, length - filled);
        bytes.set(part, filled);
        filled += part.length;
        rest = rest.subarray(part.length);
      }
      return bytes.subarray(0, filled);
    },
    async skip(length) {
      let remaining = length;
      while (remaining > 0) {
        if (rest.length === 0 && !(await readChunk())) return;
        const skipped = Math.min(remaining, rest.length);
        rest = rest.subarray(skipped);
        remaining -= skipped;
      }
    },
    close: () => void reader.cancel().catch(() => undefined),
  };
}

const utf8 = new TextDecoder();
const maxTimeMs = 8.64e15;

/** Lists a tar archive (POSIX.1-2001 pax and GNU formats). Throws if the data is not a tar archive. */
export async function readTar(bytes: TarBytes): Promise<ArchiveContents> {
  const entries: ArchiveEntry[] = [];
  try {
    let nextName: string | undefined;
    let nextSize: number | undefined;
    for (;;) {
      const header = await bytes.read(blockBytes);
      if (header.length < blockBytes || header.every((byte) => byte === 0)) break;
      if (!isHeader(header)) {
        if (entries.length === 0) throw new Error('This is not a tar archive.');
        return { entries, isPartial: true };
      }
      const length = nextSize ?? readNumber(header, 124, 12);
      const padded = Math.ceil(length / blockBytes) * blockBytes;
      const type = String.fromCharCode(header[156] ?? 0);
      if ('Lxg'.includes(type)) {
        if (length > maxExtendedHeaderBytes) throw new BudgetSpentError();
        const records = (await bytes.read(padded)).subarray(0, length);
        if (type === 'L') nextName = readText(records, 0, records.length);
        if (type === 'x') {
          const { name, size } = parsePaxRecords(records);
          nextName = name ?? nextName;
          nextSize = size ?? nextSize;
        }
        continue;
      }
      if (entries.length >= maxEntries) return { entries, isPartial: true };
      const prefix = readText(header, 257, 5) === 'ustar' ? readText(header, 345, 155) : '';
      const shortName = readText(header, 0, 100);
      const name = nextName ?? (prefix === '' ? shortName : `${prefix}/${shortName}`);
      const isFolder = type === '5' || name.endsWith('/');
      const path = name.replace(/^\.\//u, '').replace(/\/+$/u, '');
      // `K` carries the target of a link; links and devices have no content of their own.
      if (type !== 'K' && path !== '' && path !== '.') {
        entries.push({
          name: path,
          isFolder,
          size: isFolder ? 0 : length,
          modifiedMs: readModified(header),
        });
      }
      if (type !== 'K') {
        nextName = undefined;
        nextSize = undefined;
      }
      await bytes.skip('123456'.includes(type) ? 0 : padded);
    }
    return { entries, isPartial: false };
  } catch (error) {
    if (error instanceof BudgetSpentError) return { entries, isPartial: true };
    throw error;
  }
}

/** Whether the block's checksum is correct; the checksum field itself counts as spaces. */
function isHeader(block: Uint8Array): boolean {
  let sum = 0;
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum === readNumber(block, 148, 8);
}

function readText(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}

/** Parses octal digits, or a binary number when the first bit is set (GNU). */
function readNumber(block: Uint8Array, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first < 0x80) return Number.parseInt(readText(block, start, length).trim() || '0', 8) || 0;
  let value = first & 0x7f;
  for (let at = start + 1; at < start + length; at++) value = value * 256 + (block[at] ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

/** Returns the modification time in Unix milliseconds, or null beyond the range of dates (ECMA-262, time values). */
function readModified(header: Uint8Array): number | null {
  const modifiedMs = readNumber(header, 136, 12) * 1000;
  return modifiedMs <= maxTimeMs ? modifiedMs : null;
}

/** Parses pax records, lines of `length key=value` (POSIX.1-2001). */
function parsePaxRecords(records: Uint8Array): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {};
  for (const [, key, value = ''] of utf8.decode(records).matchAll(/^\d+ ([^=\n]+)=(.*)$/gmu)) {
    if (key === 'path') found.name = value;
    if (key === 'size' && /^\d{1,15}$/u.test(value)) found.size = Number(value);
  }
  return found;
}
