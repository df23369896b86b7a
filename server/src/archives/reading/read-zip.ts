import { crc32 } from 'node:zlib';
import type { ErrorCode } from '@filestead/contract/errors';
import { AppError } from '../../errors.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { type Compression, decompress } from '../decoding/decompress.ts';
import { type ArchiveMember, decodeName, type MemberKind, memberPath } from './archive-member.ts';
import { readBytes, readAt } from './file-bytes.ts';
import { maxDirectoryBytes, maxMembers } from './limits.ts';

/** Sizes of records without their variable parts, in bytes (APPNOTE 4.3). */
const localBytes = 30;
const centralBytes = 46;
const endBytes = 22;
const maxCommentBytes = 0xffff;
const locatorBytes = 20;
const end64Bytes = 56;

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;

const maxUint32 = 0xffffffff;
const maxUint16 = 0xffff;

/** The compression methods that can be read; null for stored members (APPNOTE 4.4.5). */
const methods: ReadonlyMap<number, Compression | null> = new Map([
  [0, null],
  [8, 'deflate'],
  [12, 'bzip2'],
  [93, 'zstd'],
  [95, 'xz'],
]);

/** A member of a zip. */
export interface ZipMember extends ArchiveMember {
  readonly compressedSize: number;
  readonly method: number;
  readonly crc: number;
}

/** The position and size of the central directory. */
interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
  /** Bytes in front of the archive, such as a program that unpacks it; offsets do not count them. */
  readonly prefix: number;
}

const damaged = (detail: string): AppError => new AppError('archive_damaged', detail);

/** Finds the central directory of a zip. Throws `unsupported_archive_format` when there is none. */
async function findDirectory(file: OpenFile): Promise<Directory> {
  const { size: fileSize } = file.entry;
  const tailStart = Math.max(0, fileSize - endBytes - maxCommentBytes);
  const tail = await readAt(file, tailStart, fileSize - tailStart);
  let end = tail.length - endBytes;
  for (; end >= 0; end--) {
    const isEnd =
      tail.readUInt32LE(end) === endSignature && end + endBytes + tail.readUInt16LE(end + 20) <= tail.length;
    if (isEnd) break;
  }
  if (end < 0) throw new AppError('unsupported_archive_format', 'the file is not a zip archive');
  let count = tail.readUInt16LE(end + 10);
  let size = tail.readUInt32LE(end + 12);
  let offset = tail.readUInt32LE(end + 16);
  let endOffset = tailStart + end;
  if (count === maxUint16 || size === maxUint32 || offset === maxUint32) {
    const end64 = await findEnd64(file, endOffset);
    if (end64 !== null) ({ count, size, offset, endOffset } = end64);
  }
  const prefix = endOffset - size - offset;
  if (prefix < 0) throw damaged('the central directory is outside of the archive');
  return { start: offset + prefix, size, count, prefix };
}

/** Reads the end record of zip64 (APPNOTE 4.3.14); null when there is none. */
async function findEnd64(
  file: OpenFile,
  endOffset: number,
): Promise<{ count: number; size: number; offset: number; endOffset: number } | null> {
  if (endOffset < locatorBytes + end64Bytes) return null;
  const locator = await readAt(file, endOffset - locatorBytes, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return null;
  // The record directly before the locator is used, because the offset in the locator ignores a prefix.
  const position = endOffset - locatorBytes - end64Bytes;
  const record = await readAt(file, position, end64Bytes);
  if (record.readUInt32LE(0) !== end64Signature) throw damaged('the end record of zip64 is missing');
  return {
    count: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
    endOffset: position,
  };
}

/** Returns the members of a zip in the order of their content. Throws `unsupported_archive_format`, `archive_damaged`, `archive_too_large`. */
export async function readZipMembers(file: OpenFile): Promise<ZipMember[]> {
  const { start, size, count, prefix } = await findDirectory(file);
  if (count > maxMembers || size > maxDirectoryBytes) throw new AppError('archive_too_large');
  const directory = await readAt(file, start, size);
  const members: ZipMember[] = [];
  const yielder = new Yielder();
  for (let at = 0; at + centralBytes <= directory.length;) {
    if (directory.readUInt32LE(at) !== centralSignature) break;
    const next =
      at +
      centralBytes +
      directory.readUInt16LE(at + 28) +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
    if (next > directory.length) throw damaged('the central directory is truncated');
    if (members.length >= maxMembers) throw new AppError('archive_too_large');
    members.push(parseMember(directory.subarray(at, next), prefix));
    at = next;
    if (yielder.isDue()) await yielder.yield();
  }
  if (members.length < count) throw damaged('the central directory is truncated');
  members.sort((a, b) => a.offset - b.offset);
  assertSeparate(members, start);
  return members;
}

/** Throws `archive_damaged` when contents overlap: only archives that were made to fill disks have that. */
function assertSeparate(members: readonly ZipMember[], directoryStart: number): void {
  for (const [index, { offset, compressedSize }] of members.entries()) {
    const next = members[index + 1]?.offset ?? directoryStart;
    if (offset + localBytes + compressedSize > next) throw damaged('contents of the archive overlap');
  }
}

/** The values of the extra fields of a central record that are used. */
interface ExtraFields {
  /** Values of 64 bits, in the order of the fields that have too few bits (APPNOTE 4.5.3). */
  readonly long: readonly number[];
  readonly modifiedMs: number | null;
  /** The name in UTF-8 ("Info-ZIP Unicode Path"). */
  readonly name: Uint8Array | null;
}

function parseExtra(extra: Buffer, nameBytes: Uint8Array): ExtraFields {
  const long: number[] = [];
  let modifiedMs: number | null = null;
  let name: Uint8Array | null = null;
  for (let at = 0; at + 4 <= extra.length;) {
    const id = extra.readUInt16LE(at);
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    if (id === 0x0001) {
      for (let value = 0; value + 8 <= field.length; value += 8)
        long.push(Number(field.readBigUInt64LE(value)));
    } else if (id === 0x5455 && field.length >= 5 && ((field[0] ?? 0) & 1) !== 0) {
      modifiedMs = field.readInt32LE(1) * 1000;
    } else if (id === 0x7075 && field.length > 5 && field[0] === 1) {
      if (field.readUInt32LE(1) === crc32(nameBytes)) name = field.subarray(5);
    }
    at += 4 + extra.readUInt16LE(at + 2);
  }
  return { long, modifiedMs, name };
}

/** Parses an MS-DOS date and time. The format has no time zone; that of the server is assumed. */
function parseDosTime(date: number, time: number): number | null {
  if (date === 0) return null;
  const year = 1980 + (date >> 9);
  const parsed = new Date(
    year,
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
  return parsed.getTime();
}

/** The kind of a member by its name and, for archives of Unix systems, its `st_mode`. */
function kindOfMember(record: Buffer, name: string): MemberKind {
  if (name.endsWith('/')) return 'folder';
  const isUnix = record.readUInt8(5) === 3;
  const fileType = isUnix ? (record.readUInt32LE(38) >>> 16) & 0o170000 : 0;
  if (fileType === 0o040000) return 'folder';
  if (fileType === 0o120000) return 'link';
  return fileType === 0 || fileType === 0o100000 ? 'file' : 'special';
}

function parseMember(record: Buffer, prefix: number): ZipMember {
  const flags = record.readUInt16LE(8);
  const nameEnd = centralBytes + record.readUInt16LE(28);
  const nameBytes = record.subarray(centralBytes, nameEnd);
  const extra = parseExtra(record.subarray(nameEnd, nameEnd + record.readUInt16LE(30)), nameBytes);
  const name = decodeName(extra.name ?? nameBytes, 'zip').replaceAll('\\', '/');
  const long = [...extra.long];
  const wide = (value: number): number => (value === maxUint32 ? (long.shift() ?? value) : value);
  const size = wide(record.readUInt32LE(24));
  const compressedSize = wide(record.readUInt32LE(20));
  const offset = wide(record.readUInt32LE(42)) + prefix;
  const method = record.readUInt16LE(10);
  const refusal = refusalOf(flags, method);
  return {
    path: memberPath(name),
    name,
    kind: kindOfMember(record, name),
    size,
    compressedSize,
    modifiedMs: extra.modifiedMs ?? parseDosTime(record.readUInt16LE(14), record.readUInt16LE(12)),
    offset,
    method,
    crc: record.readUInt32LE(16),
    ...(refusal === null ? {} : { refusal }),
  };
}

function refusalOf(flags: number, method: number): ErrorCode | null {
  if ((flags & 1) !== 0) return 'archive_encrypted';
  return methods.has(method) ? null : 'unsupported_archive_format';
}

/**
 * Yields the content of a zip member. Throws `archive_damaged` when it is not as long as the archive declares or has
 * another checksum, `archive_encrypted`, `unsupported_archive_format`.
 */
export async function* readZipContent(
  file: OpenFile,
  member: ZipMember,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { size, compressedSize, method, crc, offset, refusal } = member;
  if (refusal !== undefined) throw new AppError(refusal);
  const header = await readAt(file, offset, localBytes);
  if (header.length < localBytes || header.readUInt32LE(0) !== localSignature)
    throw damaged('the header of a file is missing');
  const start = offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const stored = readBytes(file, start, start + compressedSize, signal);
  const compression = methods.get(method) ?? null;
  const content = compression === null ? stored : decompress(compression, stored);
  let length = 0;
  let checksum = 0;
  for await (const piece of content) {
    length += piece.length;
    if (length > size) throw damaged('a file is longer than the archive declares');
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (length !== size || checksum !== crc) throw damaged('a file has a wrong checksum');
}
