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
import { randomBytes } from 'node:crypto';

/** How every SQLite file starts (file format §1.3). */
const sqliteMagic = 'SQLite format 3\0';

/** The path of a database while it is being made. */
export const unfinishedDatabase = (path: string): string => `${path}.new`;

const missing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Whether there is a file at `path`. Throws unless that file is SQLite's; an empty one is not. */
export function hasDatabaseFile(path: string): boolean {
  let file;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (missing(error)) return false;
    throw error;
  }
  try {
    const start = Buffer.alloc(sqliteMagic.length);
    const length = readSync(file, start, 0, start.length, 0);
    if (length === 0)
      throw new Error(`the database ${path} is empty (0 bytes); put a whole copy in its place`);
    if (start.toString('latin1') !== sqliteMagic) {
      throw new Error(`${path} is not a database of Filestead; choose another file with --database`);
    }
    return true;
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a database at `path` that is either whole or not there, whenever the process ends: `fill` writes it under another
 * name first. A database that appears at `path` meanwhile is kept.
 */
export async function createDatabaseFile(
  path: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = unfinishedDatabase(path);
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${temporary}${suffix}`, { force: true });
  closeSync(openSync(temporary, 'wx', 0o600));
  try {
    await fill(temporary);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    publish(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Gives a file its name unless the name is taken. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    // Some file systems have no hard links.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) renameSync(temporary, path);
  }
}

/** Tells whether a path still leads to the files of an open database. */
export interface DatabaseIdentity {
  /** `removed` or `replaced` when the path leads elsewhere; null when all is well. */
  loss(): 'removed' | 'replaced' | null;
}

const identify = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** Remembers which files the database at `path` and its write-ahead log are, by device and inode. */
export function identifyDatabase(path: string): DatabaseIdentity {
  const files = [path, `${path}-wal`].map((file) => ({ file, was: identify(file) }));
  return {
    loss() {
      for (const { file, was } of files) {
        if (was === undefined) continue;
        const is = identify(file);
        if (is === undefined) return 'removed';
        if (is.ino !== was.ino || is.dev !== was.dev) return 'replaced';
      }
      return null;
    },
  };
}

/**
 * Runs `close` while a write-ahead log at `path` that belongs to another database is out of the way: SQLite removes the log
 * by its name when it closes.
 */
export function sparingForeignLog(path: string, close: () => void): void {
  const log = `${path}-wal`;
  const spared = `${log}.${randomBytes(6).toString('hex')}`;
  const exists = statSync(log, { throwIfNoEntry: false }) !== undefined;
  if (exists) renameSync(log, spared);
  try {
    close();
  } finally {
    if (exists) renameSync(spared, log);
  }
}
