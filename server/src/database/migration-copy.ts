import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { diskSpaceOf } from '../disk-space.ts';
import { adoptOwner, makePrivateFolder } from './adopt-owner.ts';
import { backupFolderOf, syncFile, timeInName } from './database-file.ts';
import { openSqlite, type SqliteConnection } from './sqlite/open-sqlite.ts';

/** Number of copies that are kept. */
const keptCopies = 3;
/** Name of a copy: the version that used the database last, and the time in UTC. */
const copyName = /^(?:\d+\.\d+\.\d+|unknown)-(\d{8}-\d{6}-\d{3})\.db$/;
/** Suffix of a copy that is being written. */
const unfinishedSuffix = '.new';
/** Age in milliseconds from which an unfinished copy counts as abandoned by a killed process. */
const abandonedAfterMs = 10 * 60_000;

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

/** Returns the version number for SQLite's `user_version`, without the suffix of a pre-release. */
export function encodeVersion(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? [];
  return major * 1_000_000 + minor * 1_000 + patch;
}

/** Returns the version that used the database last; `unknown` if none is recorded. */
export function readVersion(connection: SqliteConnection): string {
  const [row] = connection.prepare('PRAGMA user_version').all() as { user_version: number }[];
  const code = row?.user_version ?? 0;
  if (code <= 0) return 'unknown';
  return [Math.floor(code / 1_000_000), Math.floor(code / 1_000) % 1_000, code % 1_000].join('.');
}

/** Records the version that uses the database. Writes nothing if it is recorded already. Best effort. */
export function recordVersion(connection: SqliteConnection, version: string): void {
  try {
    const [row] = connection.prepare('PRAGMA user_version').all() as { user_version: number }[];
    const code = encodeVersion(version);
    if (row?.user_version !== code) connection.exec(`PRAGMA user_version = ${code}`);
  } catch {
    // Only messages and the names of copies depend on it.
  }
}

/** Returns the names of the finished copies in a folder, the newest first. */
function listCopies(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const dateOf = (name: string): string => copyName.exec(name)?.[1] ?? '';
  return readdirSync(folder)
    .filter((name) => copyName.test(name))
    .sort((one, other) => (dateOf(one) < dateOf(other) ? 1 : -1));
}

/** Throws unless the disk has space for the copy and for a migration that writes every page again. */
function assertRoom(path: string, folder: string): void {
  const bytes = ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const { free } = diskSpaceOf(statfsSync(folder));
  if (free >= 2 * bytes) return;
  throw new Error(
    `the disk of the database ${path} is too full for a copy before the database is updated: ${mebibytes(2 * bytes)} are needed and ${mebibytes(free)} are free; nothing was changed; free some space`,
  );
}

function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(`.db${unfinishedSuffix}`))) {
    const file = join(folder, name);
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (copyName.test(name.slice(0, -unfinishedSuffix.length)) && Date.now() - changedAt > abandonedAfterMs)
      rmSync(file, { force: true });
  }
}

/**
 * Copies the database at `path` into its backup folder and returns the copy. The copy has its name only once it is
 * complete and on the disk. Throws if the disk is too full.
 */
export function copyBeforeMigration(connection: SqliteConnection, path: string): string {
  const folder = backupFolderOf(path);
  makePrivateFolder(folder);
  removeAbandoned(folder);
  assertRoom(path, folder);
  const copy = join(folder, `${readVersion(connection)}-${timeInName(new Date())}.db`);
  const unfinished = `${copy}${unfinishedSuffix}`;
  closeSync(openSync(unfinished, 'wx', 0o600));
  adoptOwner(unfinished);
  try {
    connection.prepare('vacuum into ?').run(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, copy);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return copy;
}

/** Removes all but the newest copies of the database at `path`. */
export function pruneCopies(path: string): void {
  const folder = backupFolderOf(path);
  for (const name of listCopies(folder).slice(keptCopies)) rmSync(join(folder, name), { force: true });
}

/** Returns the newest copy of the database at `path` that contains only known migrations; null if there is none. */
export function newestUsableCopy(path: string, knownSteps: readonly string[]): string | null {
  const folder = backupFolderOf(path);
  for (const name of listCopies(folder)) {
    const file = join(folder, name);
    try {
      const connection = openSqlite(file);
      try {
        const rows = connection.prepare('select name from kysely_migration').all() as { name: string }[];
        if (rows.length > 0 && rows.every((row) => knownSteps.includes(row.name))) return file;
      } finally {
        connection.close();
      }
    } catch {
      // A damaged copy is of no use either.
    }
  }
  return null;
}

/** Returns the instructions for a database that only a newer version can open. */
export function describeRecovery(path: string, knownSteps: readonly string[]): string {
  const copy = newestUsableCopy(path, knownSteps);
  return copy === null
    ? 'install that version, or restore a backup'
    : `install that version, or replace ${basename(path)} with the copy ${copy}`;
}
