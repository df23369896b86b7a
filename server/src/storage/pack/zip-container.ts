import { crc32 } from 'node:zlib';
import { bytesOfName, hasEscapedBytes } from '@filestead/contract/paths/raw-names';
import type { Container, MemberMetadata } from './container.ts';

/** Sizes and offsets from here on need the fields of 64 bits (APPNOTE 4.3.9.2, 4.5.3). */
const maxUint32 = 0xffffffff;
const maxUint16 = 0xffff;
/** Compression methods: stored and deflate (APPNOTE 4.4.5). */
const stored = 0;
const deflated = 8;
/** Deflate adds less than this to incompressible content, of which a compressed member of this size could need 64 bits. */
const maxCompressedGrowth = 16 * 1024 * 1024;
/** Bit 3: checksum and sizes follow the content. Bit 11: the name is UTF-8 (APPNOTE 4.4.4). */
const sizesFollow = 1 << 3;
const namesAreUtf8 = 1 << 11;
/** Version of the format that a reader has to know: 2.0 for folders, 4.5 for zip64 (APPNOTE 4.4.3). */
const plainVersion = 20;
const zip64Version = 45;
/** The host system "Unix", so that the upper half of the attributes is `st_mode` (APPNOTE 4.4.2). */
const madeByUnix = 3 << 8;
const folderType = 0o040000;
const fileType = 0o100000;
const msDosFolder = 0x10;
/** The central directory is collected in buffers of this size (bytes). */
const centralPieceBytes = 256 * 1024;

const localBytes = 30;
const centralBytes = 46;
const timestampBytes = 9;
const maxExtraBytes = timestampBytes + 28;
const nothing = new Uint8Array();

/** Date and time in MS-DOS format, in the server's time zone; readers that support the Unix timestamp use that instead. */
function msDosTime(modifiedMs: number): { date: number; time: number } {
  const when = new Date(modifiedMs);
  const year = when.getFullYear();
  if (!(year >= 1980)) return { date: (1 << 5) | 1, time: 0 };
  if (year > 2107) return { date: (127 << 9) | (12 << 5) | 31, time: 0 };
  return {
    date: ((year - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate(),
    time: (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1),
  };
}

interface Member {
  readonly nameBytes: number;
  readonly metadata: MemberMetadata;
  readonly isFolder: boolean;
  readonly flags: number;
  readonly method: number;
  /** Whether the sizes after the content have 64 bits. */
  readonly isLong: boolean;
  /** The offset of the local header. */
  readonly offset: number;
  crc: number;
  /** The size in the archive, in bytes. */
  packedSize: number;
}

/**
 * A zip whose members are stored, or compressed by the caller. Names are UTF-8, or raw bytes without the UTF-8 flag;
 * sizes, offsets and counts are unlimited (zip64).
 */
export class ZipContainer implements Container {
  /** The buffer for local headers. */
  #header = Buffer.allocUnsafe(4096);
  #name = Buffer.allocUnsafe(4096);
  #member: Member | null = null;
  #offset = 0;
  #count = 0;
  readonly #centralPieces: Buffer[] = [];
  #central = Buffer.allocUnsafe(centralPieceBytes);
  #centralUsed = 0;

  folder(name: string, metadata: MemberMetadata): Uint8Array {
    const header = this.#local(`${name}/`, { ...metadata, size: 0 }, { isFolder: true });
    this.trailer();
    return header;
  }

  smallFile(name: string, metadata: MemberMetadata, content: Uint8Array): Uint8Array {
    return this.#local(name, metadata, { crc: crc32(content) });
  }

  largeFile(name: string, metadata: MemberMetadata): Uint8Array {
    return this.#local(name, metadata, { flags: sizesFollow });
  }

  /**
   * The header of a file of `metadata.size` bytes whose content follows compressed by deflate. Each chunk is passed to
   * {@link piece} before its compression; the trailer is {@link compressedTrailer}.
   */
  compressedFile(name: string, metadata: MemberMetadata): Uint8Array {
    return this.#local(name, metadata, { flags: sizesFollow, method: deflated });
  }

  /** The bytes after the content of a compressed file, which has `packedSize` bytes in the archive. */
  compressedTrailer(packedSize: number): Uint8Array {
    if (this.#member !== null) this.#member.packedSize = packedSize;
    return this.trailer();
  }

  piece(bytes: Uint8Array): void {
    if (this.#member !== null) this.#member.crc = crc32(bytes, this.#member.crc);
  }

  trailer(): Uint8Array {
    const member = this.#member;
    if (member === null) throw new Error('a trailer without a header');
    const { size } = member.metadata;
    const { packedSize, isLong } = member;
    this.#member = null;
    this.#offset += packedSize;
    this.#addToCentral(member);
    if ((member.flags & sizesFollow) === 0) return nothing;
    const descriptor = this.#header.subarray(0, isLong ? 24 : 16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(member.crc, 4);
    if (isLong) {
      descriptor.writeBigUInt64LE(BigInt(packedSize), 8);
      descriptor.writeBigUInt64LE(BigInt(size), 16);
    } else {
      descriptor.writeUInt32LE(packedSize, 8);
      descriptor.writeUInt32LE(size, 12);
    }
    this.#offset += descriptor.length;
    return descriptor;
  }

  *end(): Generator<Uint8Array> {
    const start = this.#offset;
    this.#centralPieces.push(this.#central.subarray(0, this.#centralUsed));
    let size = 0;
    for (const piece of this.#centralPieces) {
      size += piece.length;
      yield piece;
    }
    const isLong = this.#count >= maxUint16 || size >= maxUint32 || start >= maxUint32;
    if (isLong) yield this.#zip64End(start, size);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(Math.min(this.#count, maxUint16), 8);
    end.writeUInt16LE(Math.min(this.#count, maxUint16), 10);
    end.writeUInt32LE(Math.min(size, maxUint32), 12);
    end.writeUInt32LE(Math.min(start, maxUint32), 16);
    yield end;
  }

  /** The end record of zip64 and its locator (APPNOTE 4.3.14, 4.3.15). */
  #zip64End(start: number, size: number): Buffer {
    const end = Buffer.alloc(56 + 20);
    end.writeUInt32LE(0x06064b50, 0);
    end.writeBigUInt64LE(44n, 4);
    end.writeUInt16LE(madeByUnix | zip64Version, 12);
    end.writeUInt16LE(zip64Version, 14);
    end.writeBigUInt64LE(BigInt(this.#count), 24);
    end.writeBigUInt64LE(BigInt(this.#count), 32);
    end.writeBigUInt64LE(BigInt(size), 40);
    end.writeBigUInt64LE(BigInt(start), 48);
    end.writeUInt32LE(0x07064b50, 56);
    end.writeBigUInt64LE(BigInt(start + size), 64);
    end.writeUInt32LE(1, 72);
    return end;
  }

  /** Creates a local header and keeps the member until its {@link trailer}. */
  #local(
    name: string,
    metadata: MemberMetadata,
    {
      isFolder = false,
      flags = 0,
      method = stored,
      crc = 0,
    }: { isFolder?: boolean; flags?: number; method?: number; crc?: number },
  ): Buffer {
    const longest = name.length * 3;
    if (this.#name.length < longest) {
      this.#name = Buffer.allocUnsafe(longest);
      this.#header = Buffer.allocUnsafe(longest + localBytes + maxExtraBytes);
    }
    const raw = hasEscapedBytes(name) ? bytesOfName(name) : null;
    const nameBytes = raw === null ? this.#name.write(name, 0, 'utf8') : raw.length;
    if (raw !== null) this.#name.set(raw);
    const encoding = raw === null ? namesAreUtf8 : 0;
    if (nameBytes > maxUint16) throw new RangeError('a name is too long for a zip');
    const isLong = metadata.size >= maxUint32 - (method === stored ? 0 : maxCompressedGrowth);
    const hasSizes = (flags & sizesFollow) === 0;
    this.#member = {
      nameBytes,
      metadata,
      isFolder,
      flags: flags | encoding,
      method,
      isLong,
      offset: this.#offset,
      crc,
      packedSize: metadata.size,
    };
    const header = this.#header;
    const { date, time } = msDosTime(metadata.modifiedMs);
    const shownSize = isLong ? maxUint32 : hasSizes ? metadata.size : 0;
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(isLong ? zip64Version : plainVersion, 4);
    header.writeUInt16LE(flags | encoding, 6);
    header.writeUInt16LE(method, 8);
    header.writeUInt16LE(time, 10);
    header.writeUInt16LE(date, 12);
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(shownSize, 18);
    header.writeUInt32LE(shownSize, 22);
    header.writeUInt16LE(nameBytes, 26);
    header.writeUInt16LE(timestampBytes + (isLong ? 20 : 0), 28);
    header.set(this.#name.subarray(0, nameBytes), localBytes);
    let end = writeTimestamp(header, localBytes + nameBytes, metadata.modifiedMs);
    // With this field, the sizes after the content have 64 bits each.
    if (isLong) end = writeLongFields(header, end, [metadata.size, metadata.size]);
    this.#offset += end;
    return header.subarray(0, end);
  }

  /** Adds a finished member to the central directory. */
  #addToCentral({ nameBytes, metadata, isFolder, flags, method, offset, crc, packedSize }: Member): void {
    this.#count += 1;
    const needed = centralBytes + nameBytes + maxExtraBytes;
    if (this.#central.length - this.#centralUsed < needed) {
      this.#centralPieces.push(this.#central.subarray(0, this.#centralUsed));
      this.#central = Buffer.allocUnsafe(Math.max(centralPieceBytes, needed));
      this.#centralUsed = 0;
    }
    const long: number[] = [];
    const hasLongSizes = metadata.size >= maxUint32 || packedSize >= maxUint32;
    if (hasLongSizes) long.push(metadata.size, packedSize);
    if (offset >= maxUint32) long.push(offset);
    const record = this.#central.subarray(this.#centralUsed);
    const { date, time } = msDosTime(metadata.modifiedMs);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(madeByUnix | zip64Version, 4);
    record.writeUInt16LE(long.length > 0 ? zip64Version : plainVersion, 6);
    record.writeUInt16LE(flags, 8);
    record.writeUInt16LE(method, 10);
    record.writeUInt16LE(time, 12);
    record.writeUInt16LE(date, 14);
    record.writeUInt32LE(crc, 16);
    record.writeUInt32LE(hasLongSizes ? maxUint32 : packedSize, 20);
    record.writeUInt32LE(hasLongSizes ? maxUint32 : metadata.size, 24);
    record.writeUInt16LE(nameBytes, 28);
    record.writeUInt16LE(timestampBytes + (long.length > 0 ? 4 + 8 * long.length : 0), 30);
    record.writeUInt16LE(0, 32);
    record.writeUInt16LE(0, 34);
    record.writeUInt16LE(0, 36);
    const unixMode = (isFolder ? folderType : fileType) | (metadata.mode & 0o777);
    record.writeUInt32LE(unixMode * 0x10000 + (isFolder ? msDosFolder : 0), 38);
    record.writeUInt32LE(Math.min(offset, maxUint32), 42);
    record.set(this.#name.subarray(0, nameBytes), centralBytes);
    let end = writeTimestamp(record, centralBytes + nameBytes, metadata.modifiedMs);
    if (long.length > 0) end = writeLongFields(record, end, long);
    this.#centralUsed += end;
  }
}

/** Writes the extra field with the modification time in Unix seconds, signed 32 bits ("UT", Info-ZIP). Returns its end. */
function writeTimestamp(target: Buffer, start: number, modifiedMs: number): number {
  const seconds = Math.min(0x7fffffff, Math.max(-0x80000000, Math.floor(modifiedMs / 1000)));
  target.writeUInt16LE(0x5455, start);
  target.writeUInt16LE(5, start + 2);
  target.writeUInt8(1, start + 4);
  target.writeInt32LE(seconds, start + 5);
  return start + timestampBytes;
}

/** Writes the extra field of zip64 (APPNOTE 4.5.3). Returns its end. */
function writeLongFields(target: Buffer, start: number, values: readonly number[]): number {
  target.writeUInt16LE(1, start);
  target.writeUInt16LE(8 * values.length, start + 2);
  let end = start + 4;
  for (const value of values) end = target.writeBigUInt64LE(BigInt(value), end);
  return end;
}
