import { bytesOfName, hasEscapedBytes } from '@filestead/contract/paths/raw-names';
import type { Container, MemberMetadata } from './container.ts';

const blockBytes = 512;
/** A tar ends with two blocks of zeros (POSIX.1-2017, pax, ustar interchange format). */
const endBlocks = 2;
/** GNU tar and others read in records of 20 blocks; some old tools complain about a shorter last one. */
const recordBytes = 20 * blockBytes;
/** The fields of a ustar header end here; the rest of its block is zeros. */
const usedBytes = 500;
/** The largest size and time that eleven octal digits can represent. */
const maxOctalSize = 0o77777777777;
const maxOctalTime = 0o77777777777;

const noBytes = new Uint8Array();
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** One record of a pax header: its own length, a space, `key=value` and a line feed. The text has one character per byte. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`.length;
  let length = rest + String(rest).length;
  if (rest + String(length).length > length) length += 1;
  return `${length} ${key}=${value}\n`;
}

/** The bytes of the name in the archive, as text with one character per byte. */
const bytesAsText = (name: string): string => Buffer.from(bytesOfName(name)).toString('latin1');

/**
 * The pax records of a name. Names in pax headers are UTF-8 unless the header says that they are bytes without a meaning
 * (POSIX.1-2017, pax, hdrcharset).
 */
const nameRecords = (name: string): string =>
  (hasEscapedBytes(name) ? paxRecord('hdrcharset', 'BINARY') : '') + paxRecord('path', bytesAsText(name));

/**
 * Splits `name` into the two fields of a ustar header; null when it does not fit. Only for ASCII, and for names that are not
 * UTF-8, because not every reader supports `hdrcharset`.
 */
function ustarName(given: string): { name: string; prefix: string } | null {
  const isRaw = hasEscapedBytes(given);
  if (!isRaw && !isAscii(given)) return null;
  const name = isRaw ? bytesAsText(given) : given;
  if (name.length <= 100) return { name, prefix: '' };
  const slash = name.indexOf('/', name.length - 101);
  if (slash <= 0 || slash > 155 || slash === name.length - 1) return null;
  return { name: name.slice(slash + 1), prefix: name.slice(0, slash) };
}

/** `value` as `digits` octal digits. */
function writeOctal(target: Buffer, value: number, start: number, digits: number): void {
  let rest = value;
  for (let i = start + digits - 1; i >= start; i--) {
    target[i] = 0x30 + (rest % 8);
    rest = Math.floor(rest / 8);
  }
}

/** A tar in the pax interchange format: plain ustar headers, with a pax header where a name or size needs one. */
export class TarContainer implements Container {
  readonly #header = Buffer.alloc(blockBytes);
  readonly #zeros = Buffer.alloc(recordBytes);
  #size = 0;
  #total = 0;

  folder(name: string, metadata: MemberMetadata): Uint8Array {
    return this.#begin(`${name}/`, { ...metadata, size: 0 }, '5');
  }

  smallFile(name: string, metadata: MemberMetadata): Uint8Array {
    return this.#begin(name, metadata, '0');
  }

  largeFile(name: string, metadata: MemberMetadata): Uint8Array {
    return this.#begin(name, metadata, '0');
  }

  piece(): void {
    // A tar contains no checksum of the content.
  }

  trailer(): Uint8Array {
    const padding = paddingOf(this.#size);
    this.#total += this.#size + padding;
    return padding === 0 ? noBytes : this.#zeros.subarray(0, padding);
  }

  *end(): Generator<Uint8Array> {
    const end = endBlocks * blockBytes;
    const filling = (recordBytes - ((this.#total + end) % recordBytes)) % recordBytes;
    yield this.#zeros.subarray(0, end);
    if (filling > 0) yield this.#zeros.subarray(0, filling);
  }

  #begin(name: string, metadata: MemberMetadata, type: '0' | '5'): Uint8Array {
    this.#size = metadata.size;
    const fields = ustarName(name);
    const isLarge = metadata.size > maxOctalSize;
    if (fields !== null && !isLarge) {
      this.#total += blockBytes;
      return this.#ustar(fields, metadata, type);
    }
    const records = Buffer.from(
      (fields === null ? nameRecords(name) : '') + (isLarge ? paxRecord('size', String(metadata.size)) : ''),
      'latin1',
    );
    const pax = Buffer.from(
      this.#ustar({ name: 'PaxHeader', prefix: '' }, { ...metadata, size: records.length }, 'x'),
    );
    // Shown instead by readers that do not support pax.
    const shortName = fields ?? { name: name.replaceAll(/[^\x20-\x7e]/g, '_').slice(-99), prefix: '' };
    const bytes = Buffer.concat([
      pax,
      records,
      this.#zeros.subarray(0, paddingOf(records.length)),
      this.#ustar(shortName, isLarge ? { ...metadata, size: 0 } : metadata, type),
    ]);
    this.#total += bytes.length;
    return bytes;
  }

  #ustar(
    { name, prefix }: { name: string; prefix: string },
    { size, modifiedMs, mode }: MemberMetadata,
    type: string,
  ): Buffer {
    const header = this.#header;
    header.fill(0);
    header.write(name, 0, 'latin1');
    writeOctal(header, mode & 0o777, 100, 7);
    writeOctal(header, 0, 108, 7);
    writeOctal(header, 0, 116, 7);
    writeOctal(header, size, 124, 11);
    const seconds = Math.min(maxOctalTime, Math.max(0, Math.floor(modifiedMs / 1000)));
    writeOctal(header, seconds, 136, 11);
    header.write('        ', 148, 'latin1');
    header.write(type, 156, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    if (prefix !== '') header.write(prefix, 345, 'latin1');
    let sum = 0;
    for (let i = 0; i < usedBytes; i++) sum += header[i] ?? 0;
    writeOctal(header, sum, 148, 6);
    header[154] = 0;
    return header;
  }
}
