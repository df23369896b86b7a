import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { isErrno } from '../../storage/disk/paths/syscalls.ts';
import { Columns, type ColumnsOptions } from './columns.ts';
import type { ColumnSource, SavedColumns } from './saved-columns.ts';

/** Identifies the served tree that a file describes. A file of another source is not used. */
export interface CatalogueSource {
  /** Device and inode of the served folder. */
  readonly rootId: string;
  /** Everything else that decides which entries are in the catalogue, such as excluded paths. */
  readonly rules: string;
}

/** The state of a saved catalogue besides its columns. */
export interface SavedState {
  /** Unix seconds of the last complete comparison with the disk. */
  readonly checkedAt: number;
  /** Unix seconds of the last time that every entry was read. */
  readonly readAt: number;
  /** Whether entries were left out because there are too many. */
  readonly isCut: boolean;
  /** Entries whose paths have more names were left out, see `DepthLimit`; absent without a limit. */
  readonly maxDepth?: number | undefined;
}

/** A catalogue that was loaded. */
export interface LoadedCatalogue extends SavedState {
  readonly columns: Columns;
}

/** Thrown for a file that cannot be used. The message is the reason, for the log. */
export class UnusableFile extends Error {}

const magic = 'filestead catalogue 3\n';
/** Bytes that are written by one call. */
const pieceBytes = 4 * 1024 * 1024;
/** Bytes that are read by one call. */
const readPieceBytes = 256 * 1024;

interface Header extends CatalogueSource, SavedState {
  readonly columns: readonly { readonly name: string; readonly bytes: number; readonly crc: number }[];
}

/** The types of the columns, in the order of the file. */
const constructors = {
  names: Uint8Array,
  caseBits: Uint8Array,
  originals: Uint8Array,
  originalEntries: Uint32Array,
  originalOffsets: Uint32Array,
  parents: Uint32Array,
  sizes: Uint32Array,
  sizesHigh: Uint16Array,
  blocks: Uint32Array,
  times: Uint32Array,
  flags: Uint8Array,
  runStarts: Uint32Array,
  runEnds: Uint32Array,
  folderTimes: Float64Array,
  checked: Uint32Array,
  allBytes: Float64Array,
  allBlocks: Float64Array,
  allFiles: Uint32Array,
  allFolders: Uint32Array,
  plainBytes: Float64Array,
  plainBlocks: Float64Array,
  plainFiles: Uint32Array,
  plainFolders: Uint32Array,
  rest: Uint8Array,
} as const satisfies Record<keyof SavedColumns, unknown>;

const columnNames = Object.keys(constructors) as (keyof SavedColumns)[];
const bytesOf = (column: SavedColumns[keyof SavedColumns]): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;)
    from += writeSync(descriptor, bytes, from, Math.min(pieceBytes, bytes.length - from));
}

/** Fills `bytes` from the position `start` of a file. Returns their checksum, computed while each piece is in the cache of the processor. */
function readAll(descriptor: number, bytes: Uint8Array, start: number): number {
  let crc = 0;
  for (let from = 0; from < bytes.length;) {
    const read = readSync(
      descriptor,
      bytes,
      from,
      Math.min(readPieceBytes, bytes.length - from),
      start + from,
    );
    if (read === 0) throw new UnusableFile('it is truncated');
    crc = crc32(bytes.subarray(from, from + read), crc);
    from += read;
  }
  return crc;
}

/** Flushes a folder, so that a rename in it survives a power failure; not possible on every system. */
function flushFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is complete under either name.
  }
}

/** Options of {@link saveCatalogue} for tests. */
export interface SaveOptions {
  /** Called before each step of saving. */
  readonly onStep?: () => void;
}

/** Writes a catalogue to `path`, which is replaced only by a complete and flushed file. Throws the error of the system. */
export function saveCatalogue(
  path: string,
  source: CatalogueSource,
  { columns, ...state }: LoadedCatalogue,
  { onStep = () => undefined }: SaveOptions = {},
): void {
  const data = columns.data();
  const list = columnNames.map((name) => ({ name, bytes: bytesOf(data[name]) }));
  const header: Header = {
    ...source,
    ...state,
    columns: list.map(({ name, bytes }) => ({ name, bytes: bytes.length, crc: crc32(bytes) })),
  };
  const text = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(magic.length + 8);
  start.write(magic);
  start.writeUInt32LE(text.length, magic.length);
  start.writeUInt32LE(crc32(text), magic.length + 4);
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  try {
    onStep();
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const bytes of [start, text, ...list.map((column) => column.bytes)]) {
        onStep();
        writeAll(descriptor, bytes);
      }
      onStep();
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    onStep();
    renameSync(temporary, path);
    onStep();
    flushFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The largest header, in bytes. */
const maxHeaderBytes = 1024 * 1024;

/** Reads the header. Returns it with the position of the first column. */
function readHeader(descriptor: number): { header: Header; end: number } {
  const start = Buffer.alloc(magic.length + 8);
  readAll(descriptor, start, 0);
  if (start.toString('latin1', 0, magic.length) !== magic)
    throw new UnusableFile('it has another format version');
  const length = start.readUInt32LE(magic.length);
  if (length > maxHeaderBytes) throw new UnusableFile('its header is damaged');
  const text = Buffer.alloc(length);
  if (readAll(descriptor, text, start.length) !== start.readUInt32LE(magic.length + 4))
    throw new UnusableFile('its header is damaged');
  return { header: JSON.parse(text.toString()) as Header, end: start.length + length };
}

/** The largest column, in bytes. */
const maxColumnBytes = 4 * 1024 ** 3 - 1;

/** Opens the columns of a file for reading, whose first one begins at `start`. Throws when the file does not contain all of them. */
function openColumns(descriptor: number, { columns }: Header, start: number): ColumnSource {
  const found = new Map<keyof SavedColumns, { position: number; length: number; crc: number }>();
  let position = start;
  for (const [i, name] of columnNames.entries()) {
    const column = columns[i];
    const { BYTES_PER_ELEMENT: size } = constructors[name];
    if (column?.name !== name || column.bytes % size !== 0 || column.bytes > maxColumnBytes)
      throw new UnusableFile('its header is damaged');
    found.set(name, { position, length: column.bytes / size, crc: column.crc });
    position += column.bytes;
  }
  // Before memory is reserved for columns of any length.
  if (fstatSync(descriptor).size < position) throw new UnusableFile('it is truncated');
  return {
    lengthOf: (name) => found.get(name)?.length ?? 0,
    read(name, target) {
      const column = found.get(name);
      if (column?.length !== target.length) throw new UnusableFile(`its column ${name} has another length`);
      if (readAll(descriptor, bytesOf(target), column.position) !== column.crc)
        throw new UnusableFile(`its column ${name} is damaged`);
    },
  };
}

/**
 * Reads the catalogue of `source` from `path`; null when there is no file. Throws {@link UnusableFile} for a file that is damaged,
 * of another version, or of another source.
 */
export function loadCatalogue(
  path: string,
  source: CatalogueSource,
  options: ColumnsOptions = {},
): LoadedCatalogue | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    const { header, end } = readHeader(descriptor);
    if (header.rootId !== source.rootId || header.rules !== source.rules)
      throw new UnusableFile('it belongs to another served folder or other options');
    const columns = Columns.restore(openColumns(descriptor, header, end), options);
    const { checkedAt, readAt, isCut, maxDepth } = header;
    return { columns, checkedAt, readAt, isCut, maxDepth };
  } catch (error) {
    throw error instanceof UnusableFile ? error : new UnusableFile(String(error), { cause: error });
  } finally {
    closeSync(descriptor);
  }
}
