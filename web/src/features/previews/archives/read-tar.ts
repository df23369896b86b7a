import { maxEntries, type ArchiveContents, type ArchiveEntry, type ReadPart } from './archive-entries.ts';

/** The bytes of a tar archive in order. */
export interface TarBytes {
  /** The next bytes; fewer at the end. */
  read(length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Passes over bytes. */
  skip(length: number): Promise<void>;
}

/** What is read of an archive to list it; behind that the list ends. */
const readBudgetBytes = 256 * 1024 * 1024;
/** What is asked for at once. */
const chunkBytes = 256 * 1024;
/** Requests for parts of one archive. */
const mostRequests = 400;
const blockBytes = 512;
/** Names and further facts of one entry longer than this are left out. */
const longestHeaderBytes = 64 * 1024;

class BudgetSpentError extends Error {}

/** A tar archive that is read in parts: what lies between the headers is not fetched. */
export function tarOfParts(size: number, read: ReadPart): TarBytes {
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
        if (requests > mostRequests) throw new BudgetSpentError();
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

/** A tar archive that comes as a stream. */
export function tarOfStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): TarBytes & { close: () => void } {
  const reader = stream.getReader();
  let rest = new Uint8Array(0);
  let total = 0;
  const more = async (): Promise<boolean> => {
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
        if (rest.length === 0 && !(await more())) break;
        const part = rest.subarray(0, length - filled);
        bytes.set(part, filled);
        filled += part.length;
        rest = rest.subarray(part.length);
      }
      return bytes.subarray(0, filled);
    },
    async skip(length) {
      let left = length;
      while (left > 0) {
        if (rest.length === 0 && !(await more())) return;
        const passed = Math.min(left, rest.length);
        rest = rest.subarray(passed);
        left -= passed;
      }
    },
    close: () => void reader.cancel().catch(() => undefined),
  };
}

const utf8 = new TextDecoder();
const lastMomentMs = 8.64e15;

/** Lists a tar archive (POSIX.1-2001 pax and GNU forms). Throws for what is none. */
export async function readTar(bytes: TarBytes): Promise<ArchiveContents> {
  const entries: ArchiveEntry[] = [];
  try {
    let nextName: string | undefined;
    let nextSize: number | undefined;
    for (;;) {
      const header = await bytes.read(blockBytes);
      if (header.length < blockBytes || header.every((byte) => byte === 0)) break;
      if (!isHeader(header)) {
        if (entries.length === 0) throw new Error('This is no tar archive.');
        return { entries, isPartial: true };
      }
      const length = nextSize ?? numberIn(header, 124, 12);
      const padded = Math.ceil(length / blockBytes) * blockBytes;
      const type = String.fromCharCode(header[156] ?? 0);
      if ('Lxg'.includes(type)) {
        if (length > longestHeaderBytes) throw new BudgetSpentError();
        const facts = (await bytes.read(padded)).subarray(0, length);
        if (type === 'L') nextName = textIn(facts, 0, facts.length);
        if (type === 'x') {
          const { name, size } = paxFacts(facts);
          nextName = name ?? nextName;
          nextSize = size ?? nextSize;
        }
        continue;
      }
      if (entries.length >= maxEntries) return { entries, isPartial: true };
      const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155) : '';
      const short = textIn(header, 0, 100);
      const name = nextName ?? (prefix === '' ? short : `${prefix}/${short}`);
      const isFolder = type === '5' || name.endsWith('/');
      const bare = name.replace(/^\.\//u, '').replace(/\/+$/u, '');
      // `K` names the target of a link; links and devices have no bytes of their own.
      if (type !== 'K' && bare !== '' && bare !== '.') {
        entries.push({
          name: bare,
          isFolder,
          size: isFolder ? 0 : length,
          modifiedMs: dateIn(header),
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

/** Whether the block's checksum is right; the field itself counts as blanks. */
function isHeader(block: Uint8Array): boolean {
  let sum = 0;
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum === numberIn(block, 148, 8);
}

function textIn(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal digits, or a binary number when the first bit is set (GNU). */
function numberIn(block: Uint8Array, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first < 0x80) return Number.parseInt(textIn(block, start, length).trim() || '0', 8) || 0;
  let value = first & 0x7f;
  for (let at = start + 1; at < start + length; at++) value = value * 256 + (block[at] ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

/** The last change in Unix milliseconds; null beyond the last moment that a date can name (ECMA-262, time values). */
function dateIn(header: Uint8Array): number | null {
  const modifiedMs = numberIn(header, 136, 12) * 1000;
  return modifiedMs <= lastMomentMs ? modifiedMs : null;
}

/** `length key=value` lines (POSIX.1-2001, pax). */
function paxFacts(facts: Uint8Array): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {};
  for (const [, key, value = ''] of utf8.decode(facts).matchAll(/^\d+ ([^=\n]+)=(.*)$/gmu)) {
    if (key === 'path') found.name = value;
    if (key === 'size' && /^\d{1,15}$/u.test(value)) found.size = Number(value);
  }
  return found;
}
