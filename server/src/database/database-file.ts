import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { adoptOwner } from './adopt-owner.ts';

/** Magic bytes at the start of every SQLite file (file format §1.3). */
const sqliteMagic = 'SQLite format 3\0';

/** Magic number of the databases of File Browser (bbolt) and its position after the header of their first page. */
const boltMagic = 0xed0cdaed;
const boltMagicOffset = 16;

/** Path of a database file that is being created. */
export const unfinishedDatabase = (path: string): string => `${path}.new`;

/** Folder for backups, for replaced databases and for copies made before migrations. */
export const backupFolderOf = (path: string): string => `${path}-backups`;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Throws if there is a folder at `path`. */
export function assertNoFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new Error(
    `the database ${path} is a folder; container programs create one for a mounted file that does not exist: remove it if it is empty, and mount the folder above it`,
  );
}

/** Whether there is a file at `path`. Throws if it is a folder, empty, or not an SQLite file; for a database of File Browser with the command that imports it. */
export function hasDatabaseFile(path: string): boolean {
  assertNoFolder(path);
  let file;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    const start = Buffer.alloc(boltMagicOffset + Uint32Array.BYTES_PER_ELEMENT);
    const length = readSync(file, start, 0, start.length, 0);
    if (length === 0)
      throw new Error(`the database ${path} is empty (0 bytes); replace it with a complete copy`);
    if (start.readUInt32LE(boltMagicOffset) === boltMagic) {
      throw new Error(
        `${path} is a database of File Browser, which stays as it is; choose another file with --database, and import its users, settings and links with: filestead import-filebrowser ${path}`,
      );
    }
    if (start.toString('latin1', 0, sqliteMagic.length) !== sqliteMagic) {
      throw new Error(`${path} is not a database of Filestead; choose another file with --database`);
    }
    return true;
  } finally {
    closeSync(file);
  }
}

/** Waits until the content of a file is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates a database at `path` atomically: `fill` writes it under a temporary name first, so that an
 * interrupted process leaves no partial file. A database that appears at `path` meanwhile is kept.
 */
export async function createDatabaseFile(
  path: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = unfinishedDatabase(path);
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${temporary}${suffix}`, { force: true });
  closeSync(openSync(temporary, 'wx', 0o600));
  adoptOwner(temporary);
  try {
    await fill(temporary);
    syncFile(temporary);
    publish(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Moves a file to its final name unless that name exists. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    // Some file systems do not support hard links.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) renameSync(temporary, path);
  }
}

/** Checks whether a path still refers to the files of an open database. */
export interface DatabaseIdentity {
  /** `removed` or `replaced` if the path refers to another file or none; null otherwise. */
  loss(): 'removed' | 'replaced' | null;
}

const identify = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** Remembers the database at `path` and its write-ahead log by device and inode. */
export function identifyDatabase(path: string): DatabaseIdentity {
  const files = [path, `${path}-wal`].map((file) => ({ file, original: identify(file) }));
  return {
    loss() {
      for (const { file, original } of files) {
        if (original === undefined) continue;
        const current = identify(file);
        if (current === undefined) return 'removed';
        if (current.ino !== original.ino || current.dev !== original.dev) return 'replaced';
      }
      return null;
    },
  };
}

/**
 * Runs `close` while a write-ahead log of another database at `path` is temporarily renamed, because SQLite removes
 * the log by its name on closing.
 */
export function protectForeignLog(path: string, close: () => void): void {
  const log = `${path}-wal`;
  const temporaryName = `${log}.${crypto.randomUUID()}`;
  const exists = statSync(log, { throwIfNoEntry: false }) !== undefined;
  if (exists) renameSync(log, temporaryName);
  try {
    close();
  } finally {
    if (exists) renameSync(temporaryName, log);
  }
}

/** Returns a time (UTC) as the names of backups and copies contain it, such as `20261121-093000-123`. */
export const timeInName = (time: Date): string =>
  time
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace('T', '-')
    .replace(/\.(\d+)Z$/, '-$1');
