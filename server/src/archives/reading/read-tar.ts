import type { ErrorCode } from '@filestead/contract/errors';
import { AppError } from '../../errors.ts';
import { type ArchiveMember, decodeName, type MemberKind, memberPath } from './archive-member.ts';
import type { ByteSource } from './file-bytes.ts';
import { maxMembers, maxMetadataBytes } from './limits.ts';

/** Members begin at multiples of this number of bytes. */
const blockBytes = 512;

/** A member of a tar. Its content begins right after its header. */
export interface TarMember extends ArchiveMember {
  /** The offset of the content in the tar. */
  readonly contentOffset: number;
  /** Permission bits. */
  readonly mode: number;
}

/** Values of pax records, or of the special members of GNU tar, that replace fields of the next header. */
interface Overrides {
  path?: string;
  linkPath?: string;
  size?: number;
  modifiedMs?: number;
  isSparse?: boolean;
}

const damaged = (detail: string): AppError => new AppError('archive_damaged', detail);

const paddedSize = (size: number): number => Math.ceil(size / blockBytes) * blockBytes;

/** Reads a number in octal digits, or in base 256 if the highest bit is set (GNU). */
function readNumber(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    let value = (field[0] ?? 0) & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return value;
  }
  const digits = /^[\0 ]*([0-7]*)/.exec(field.toString('latin1'))?.[1] ?? '';
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** Returns the bytes of a field up to the first NUL. */
function textField(field: Buffer): Buffer {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** Whether the checksum of a header is right. Some programs add the bytes as signed numbers. */
function hasValidChecksum(header: Buffer): boolean {
  let unsigned = 0;
  let signed = 0;
  for (const [index, byte] of header.entries()) {
    const value = index >= 148 && index < 156 ? 0x20 : byte;
    unsigned += value;
    signed += value > 127 ? value - 256 : value;
  }
  const expected = readNumber(header.subarray(148, 156));
  return expected === unsigned || expected === signed;
}

/** Parses the records of a pax header (POSIX.1-2017, pax): length, space, `key=value`, line feed. */
function parsePax(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? NaN : Number(bytes.toString('latin1', at, space));
    const end = at + length;
    if (!Number.isInteger(length) || end > bytes.length || end <= space)
      throw damaged('a pax header is damaged');
    const equals = bytes.indexOf(0x3d, space);
    if (equals < 0 || equals >= end) throw damaged('a pax header is damaged');
    records.set(bytes.toString('utf8', space + 1, equals), bytes.subarray(equals + 1, end - 1));
    at = end;
  }
  return records;
}

function overridesOf(records: ReadonlyMap<string, Buffer>): Overrides {
  const overrides: Overrides = {};
  const path = records.get('GNU.sparse.name') ?? records.get('path');
  const linkPath = records.get('linkpath');
  const size = Number(records.get('size')?.toString('latin1') ?? NaN);
  const modified = Number(records.get('mtime')?.toString('latin1') ?? NaN);
  if (path !== undefined) overrides.path = decodeName(path, 'tar');
  if (linkPath !== undefined) overrides.linkPath = decodeName(linkPath, 'tar');
  if (Number.isSafeInteger(size) && size >= 0) overrides.size = size;
  if (Number.isFinite(modified)) overrides.modifiedMs = Math.floor(modified * 1000);
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) overrides.isSparse = true;
  return overrides;
}

/** The kind of a member by its type flag. */
function kindOfType(type: string, name: string): MemberKind {
  switch (type) {
    case '0':
    case '\0':
    case '7':
      return name.endsWith('/') ? 'folder' : 'file';
    case '1':
      return 'copy';
    case '2':
      return 'link';
    case '5':
      return 'folder';
    case 'S':
      return 'file';
    default:
      return 'special';
  }
}

/** Returns the name in a header; in ustar with its prefix. GNU tar stores other fields in place of the prefix. */
function headerName(header: Buffer): string {
  const name = textField(header.subarray(0, 100));
  const prefix = textField(header.subarray(345, 500));
  const hasPrefix = header.toString('latin1', 257, 263) === 'ustar\0' && prefix.length > 0;
  return decodeName(hasPrefix ? Buffer.concat([prefix, Buffer.from('/'), name]) : name, 'tar');
}

function parseMember(header: Buffer, overrides: Overrides, offset: number, contentOffset: number): TarMember {
  const type = String.fromCharCode(header[156] ?? 0);
  const name = overrides.path ?? headerName(header);
  const kind = kindOfType(type, name);
  const linkName = overrides.linkPath ?? decodeName(textField(header.subarray(157, 257)), 'tar');
  // Sparse files of GNU tar are stored without their holes.
  const isSparse = type === 'S' || overrides.isSparse === true;
  const refusal: ErrorCode | null = isSparse ? 'unsupported_archive_format' : null;
  return {
    path: memberPath(name),
    name,
    kind,
    size: kind === 'file' ? (overrides.size ?? readNumber(header.subarray(124, 136))) : 0,
    modifiedMs: overrides.modifiedMs ?? readNumber(header.subarray(136, 148)) * 1000,
    offset,
    contentOffset,
    mode: readNumber(header.subarray(100, 108)) & 0o777,
    ...(kind === 'copy' ? { target: memberPath(linkName) } : {}),
    ...(refusal === null ? {} : { refusal }),
  };
}

/** A member of a tar that is being read. */
export interface StreamedMember {
  readonly member: TarMember;
  /** Yields the content. It has to be consumed before the next member is requested; the rest is skipped. */
  readonly content: () => AsyncGenerator<Uint8Array>;
}

/** Yields the content of a member, which begins at the position of `source`. Throws `archive_damaged` when the tar is truncated. */
export async function* readTarContent(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of source.stream(size)) {
    length += piece.length;
    yield piece;
  }
  if (length < size) throw damaged('the archive is truncated');
}

/**
 * Yields the members of a tar in their order. Throws `unsupported_archive_format` when the source does not begin with a
 * header, `archive_damaged`, `archive_too_large`.
 */
export async function* readTar(source: ByteSource): AsyncGenerator<StreamedMember> {
  const global: Overrides = {};
  let overrides: Overrides = {};
  let count = 0;
  for (;;) {
    const offset = source.position;
    const header = await source.take(blockBytes);
    if (header.length < blockBytes) {
      // The blocks of zeros at the end are missing, as in tars that were joined.
      if (header.length === 0 && offset > 0) return;
      throw offset === 0 ? notATar() : damaged('the archive is truncated');
    }
    if (header.every((byte) => byte === 0)) {
      if (offset === 0 && (await source.take(blockBytes)).some((byte) => byte !== 0)) throw notATar();
      return;
    }
    if (!hasValidChecksum(header))
      throw offset === 0 ? notATar() : damaged('the header of a file is damaged');
    const type = String.fromCharCode(header[156] ?? 0);
    const size = readNumber(header.subarray(124, 136));
    if ('xgLK'.includes(type)) {
      if (size > maxMetadataBytes) throw new AppError('archive_too_large');
      const data = await source.take(paddedSize(size));
      if (data.length < size) throw damaged('the archive is truncated');
      const bytes = data.subarray(0, size);
      if (type === 'g') Object.assign(global, overridesOf(parsePax(bytes)));
      else if (type === 'x') Object.assign(overrides, overridesOf(parsePax(bytes)));
      else if (type === 'L') overrides.path = decodeName(textField(bytes), 'tar');
      else overrides.linkPath = decodeName(textField(bytes), 'tar');
      continue;
    }
    if ((count += 1) > maxMembers) throw new AppError('archive_too_large');
    const start = source.position;
    const member = parseMember(header, { ...global, ...overrides }, offset, start);
    const stored = overrides.size ?? global.size ?? size;
    overrides = {};
    // Only these types have content; links may declare the size of their target.
    const contentBytes = ['1', '2', '3', '4', '5', '6'].includes(type) ? 0 : stored;
    yield { member, content: () => readTarContent(source, member.size) };
    const rest = start + paddedSize(contentBytes) - source.position;
    if (rest < 0) throw damaged('a file is longer than its header declares');
    await source.skip(rest);
    if (source.position < start + contentBytes) throw damaged('the archive is truncated');
  }
}

const notATar = (): AppError => new AppError('unsupported_archive_format', 'the file is not a tar archive');
