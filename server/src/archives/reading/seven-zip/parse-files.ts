import { Yielder } from '../../../scheduling/event-loop.ts';
import { type ArchiveMember, type MemberKind, memberPath } from '../archive-member.ts';
import { maxMembers } from '../limits.ts';
import { refusalOf } from './decode-block.ts';
import { damaged, type HeaderReader } from './header-reader.ts';
import { properties, type Substream } from './parse-streams.ts';

/** A member of a 7z archive. */
export interface SevenZipMember extends ArchiveMember {
  /** Null for folders and empty files. */
  readonly content: Substream | null;
}

const windowsFolder = 0x10;
const windowsLink = 0x400;
/** The upper 16 bits of the attributes are the `st_mode` of Unix. */
const unixExtension = 0x8000;

/** The properties of all files, by their index. */
interface FileProperties {
  readonly count: number;
  names: readonly string[];
  isEmpty: readonly boolean[];
  /** By the index among the files without content: whether it is a file, and not a folder. */
  isEmptyFile: readonly boolean[];
  /** By the index among the files without content: whether it marks a file to be deleted. */
  isAnti: readonly boolean[];
  modifiedMs: readonly (number | null)[];
  attributes: readonly (number | null)[];
}

/** Milliseconds between 1601, where the times of Windows begin, and 1970. */
const unixEpochMs = 11_644_473_600_000;
const ticksPerMs = 10_000n;
/** The latest time of a `Date` (ECMA-262, Time Values and Time Range). */
const maxDateMs = 8_640_000_000_000_000;

/** Parses the files of an archive, whose property identifier has been read. Throws `archive_damaged`, `archive_too_large`. */
export async function parseFiles(
  reader: HeaderReader,
  substreams: readonly Substream[],
): Promise<SevenZipMember[]> {
  const count = reader.count(maxMembers);
  const files: FileProperties = {
    count,
    names: [],
    isEmpty: [],
    isEmptyFile: [],
    isAnti: [],
    modifiedMs: [],
    attributes: [],
  };
  const parsed = new Set<number>();
  for (let id = reader.byte(); id !== properties.end; id = reader.byte()) {
    const size = reader.number();
    const left = reader.left - size;
    if (left < 0) throw damaged('the header is truncated');
    if (parsed.has(id)) throw damaged('a property of the files is repeated');
    // Unknown properties are skipped; paddings have one, several times.
    if (await parseProperty(reader, id, size, files)) parsed.add(id);
    if (reader.left < left) throw damaged('a property of the files is damaged');
    reader.bytes(reader.left - left);
  }
  if (files.names.length !== count) throw damaged('the names of the files are missing');
  return createMembers(files, substreams);
}

/** Parses a property. Returns false for an unknown one, of which nothing is read. */
async function parseProperty(
  reader: HeaderReader,
  id: number,
  size: number,
  files: FileProperties,
): Promise<boolean> {
  const { count } = files;
  switch (id) {
    case properties.emptyStream:
      files.isEmpty = reader.bits(count);
      return true;
    case properties.emptyFile:
      files.isEmptyFile = reader.bits(numberOfEmpty(files));
      return true;
    case properties.anti:
      files.isAnti = reader.bits(numberOfEmpty(files));
      return true;
    case properties.names:
      reader.assertInline();
      files.names = await parseNames(reader.bytes(Math.max(0, size - 1)));
      return true;
    case properties.modified: {
      const isPresent = reader.presence(count);
      reader.assertInline();
      files.modifiedMs = isPresent.map((present) => (present ? unixMsOf(reader.uint64()) : null));
      return true;
    }
    case properties.attributes: {
      const isPresent = reader.presence(count);
      reader.assertInline();
      files.attributes = isPresent.map((present) => (present ? reader.uint32() : null));
      return true;
    }
    default:
      return false;
  }
}

const numberOfEmpty = ({ isEmpty }: FileProperties): number => isEmpty.filter(Boolean).length;

/** Returns the names between NUL characters. */
async function parseNames(bytes: Buffer): Promise<string[]> {
  if (bytes.length % 2 !== 0) throw damaged('the names of the files are damaged');
  const names: string[] = [];
  const yielder = new Yielder();
  let start = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0) continue;
    names.push(bytes.toString('utf16le', start, at).toWellFormed());
    start = at + 2;
    if (yielder.isDue()) await yielder.yield();
  }
  if (start !== bytes.length) throw damaged('the names of the files are damaged');
  return names;
}

/** Converts a time of Windows, in units of 100 ns since 1601. Null for 0, which means none, and for times that a `Date` cannot represent. */
function unixMsOf(ticks: bigint): number | null {
  const timeMs = Number(ticks / ticksPerMs) - unixEpochMs;
  return ticks === 0n || Math.abs(timeMs) > maxDateMs ? null : timeMs;
}

function kindOf(isFolder: boolean, attributes: number): MemberKind {
  const fileType = (attributes & unixExtension) === 0 ? 0 : (attributes >>> 16) & 0o170000;
  if (fileType === 0o120000 || (fileType === 0 && (attributes & windowsLink) !== 0)) return 'link';
  if (isFolder || fileType === 0o040000 || (attributes & windowsFolder) !== 0) return 'folder';
  return fileType === 0 || fileType === 0o100000 ? 'file' : 'special';
}

async function createMembers(
  { count, names, isEmpty, isEmptyFile, isAnti, modifiedMs, attributes }: FileProperties,
  substreams: readonly Substream[],
): Promise<SevenZipMember[]> {
  const members: SevenZipMember[] = [];
  const yielder = new Yielder();
  let next = 0;
  let nextEmpty = 0;
  for (let index = 0; index < count; index++) {
    if (yielder.isDue()) await yielder.yield();
    let content: Substream | null = null;
    let isFolder = false;
    let isDeletion = false;
    if (isEmpty[index] === true) {
      isFolder = isEmptyFile[nextEmpty] !== true;
      isDeletion = isAnti[nextEmpty] === true;
      nextEmpty += 1;
    } else {
      content = substreams[next] ?? null;
      next += 1;
      if (content === null) throw damaged('a file has no content');
    }
    if (isDeletion) continue;
    const name = names[index] ?? '';
    const refusal = content === null ? null : refusalOf(content.block);
    members.push({
      path: memberPath(name),
      name,
      kind: kindOf(isFolder, attributes[index] ?? 0),
      size: content?.size ?? 0,
      modifiedMs: modifiedMs[index] ?? null,
      offset: index,
      content,
      ...(refusal === null ? {} : { refusal }),
    });
  }
  return members;
}
