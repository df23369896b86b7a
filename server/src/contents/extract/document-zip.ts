import { inflateDamaged } from './inflate-damaged.ts';

/** Sizes of records without their variable parts, in bytes (APPNOTE 4.3). */
const localBytes = 30;
const centralBytes = 46;
const endBytes = 22;
const maxCommentBytes = 0xffff;

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;

/** The maximum number of members; a document with more is not read. */
const maxMembers = 20_000;
/** The maximum size of a decompressed member, and of all that are read of one file, in bytes. */
const maxMemberBytes = 64 * 1024 * 1024;
const maxTotalBytes = 160 * 1024 * 1024;

interface ZipRecord {
  readonly method: number;
  readonly compressedSize: number;
  readonly offset: number;
}

/** The zip is damaged, or larger than the limits allow. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** Finds the central directory. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - endBytes; at >= Math.max(0, bytes.length - endBytes - maxCommentBytes); at--)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw new ZipError('the file is not a zip archive');
}

/**
 * The members of the zip that an office document is. Knows only what such documents use (stored and deflated members, no zip64, no
 * encryption), and decompresses within limits.
 */
export class DocumentZip {
  readonly #bytes: Buffer;
  readonly #records = new Map<string, ZipRecord>();
  #room = maxTotalBytes;

  /** Throws {@link ZipError}. */
  constructor(content: Uint8Array) {
    this.#bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (this.#bytes.length < endBytes) throw new ZipError('the file is not a zip archive');
    const end = findEnd(this.#bytes);
    const count = this.#bytes.readUInt16LE(end + 10);
    if (count > maxMembers) throw new ZipError('too many members');
    let at = this.#bytes.readUInt32LE(end + 16);
    for (let i = 0; i < count && at + centralBytes <= this.#bytes.length; i++) {
      if (this.#bytes.readUInt32LE(at) !== centralSignature) throw new ZipError('the directory is damaged');
      const nameEnd = at + centralBytes + this.#bytes.readUInt16LE(at + 28);
      this.#records.set(this.#bytes.toString('utf8', at + centralBytes, nameEnd), {
        method: this.#bytes.readUInt16LE(at + 10),
        compressedSize: this.#bytes.readUInt32LE(at + 20),
        offset: this.#bytes.readUInt32LE(at + 42),
      });
      at = nameEnd + this.#bytes.readUInt16LE(at + 30) + this.#bytes.readUInt16LE(at + 32);
    }
  }

  /** The names of the members that match, in the order of the numbers in them. */
  names(pattern: RegExp): string[] {
    return [...this.#records.keys()]
      .filter((name) => pattern.test(name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  /** Returns the content of a member, of a damaged one the part in front of the damage; null if there is none. Throws {@link ZipError}. */
  read(name: string): Uint8Array | null {
    const record = this.#records.get(name);
    if (record === undefined) return null;
    const { method, compressedSize, offset } = record;
    if (offset + localBytes > this.#bytes.length || this.#bytes.readUInt32LE(offset) !== localSignature)
      throw new ZipError('the header of a member is missing');
    const start =
      offset + localBytes + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
    const stored = this.#bytes.subarray(start, start + compressedSize);
    if (method === 0) return stored;
    if (method !== 8) throw new ZipError('unknown compression');
    const maxBytes = Math.max(1, Math.min(maxMemberBytes, this.#room));
    const content = inflateDamaged(stored, { isRaw: true, maxBytes });
    if (content === null) throw new ZipError('a member is too large');
    this.#room -= content.length;
    return content;
  }
}
