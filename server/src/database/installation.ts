import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { adoptOwner, makePrivateFolder } from './adopt-owner.ts';
import type { Database } from './database.ts';

/** Paths and options that decide whether this is a first start. */
export interface InstallationOptions {
  /** The data folder. */
  readonly data: string;
  /** The database file. */
  readonly database: string;
  /** Whether the administrator requested a new installation in a data folder that was in use. */
  readonly isNewInstallation: boolean;
}

/** Marker file in the data folder, which records that the installation has had users. */
const markerOf = (data: string): string => join(data, 'installation.json');

/**
 * Suffixes of SQLite's files that are useless without the database, and would be overwritten by a new one.
 */
const companions = ['-wal', '-shm', '-journal'] as const;

const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

const remedy =
  'put it back with “filestead restore FILE”, or start once with --newInstallation to begin without users';

/** Returns the start date of the installation according to the marker; null without a marker. */
function beganAt(data: string): string | null {
  try {
    const { began } = JSON.parse(readFileSync(markerOf(data), 'utf8')) as { began?: unknown };
    return typeof began === 'string' ? began.slice(0, 10) : 'an earlier start';
  } catch {
    return existsSync(markerOf(data)) ? 'an earlier start' : null;
  }
}

/** Describes why no database can be opened or created at its path; null if nothing is wrong. */
export function describeDatabaseLoss({ data, database }: InstallationOptions): string | null {
  const size = sizeOf(database);
  if (size === 0) return `the database ${database} is empty (0 bytes); ${remedy}`;
  if (size !== null) return null;
  const wal = sizeOf(`${database}-wal`) ?? 0;
  if (wal > 0)
    return `the database ${database} is missing, but its ${basename(database)}-wal exists; ${remedy}`;
  const began = beganAt(data);
  if (began === null) return null;
  return `the database ${database} is missing, but this data folder has been in use since ${began}; ${remedy}`;
}

/**
 * Checks that the database file exists, or that this is a first start. With `isNewInstallation` it removes an
 * empty file and moves the remaining files of a missing database into `backupFolder`. Throws an error that says how
 * to continue.
 */
export function assertInstallation(options: InstallationOptions, backupFolder: string): void {
  const loss = describeDatabaseLoss(options);
  if (loss === null) return;
  if (!options.isNewInstallation) throw new Error(loss);
  if (sizeOf(options.database) === 0) rmSync(options.database);
  for (const suffix of companions) {
    const path = `${options.database}${suffix}`;
    if (sizeOf(path) === null) continue;
    makePrivateFolder(backupFolder);
    renameSync(path, join(backupFolder, `${basename(path)}-${Date.now()}`));
  }
}

/**
 * Describes a database that was in use but has no users: the server's keys are generated with its first users
 * and remain. Null if there are users, or never were any.
 */
export async function describeUserLoss(
  { users, settings }: Database,
  options: InstallationOptions,
): Promise<string | null> {
  if ((await users.list()).length > 0) return null;
  if (beganAt(options.data) === null && !(await settings.hasSecrets())) return null;
  return `the database ${options.database} has no users, although it was in use; restore a backup with “filestead restore FILE”, add an administrator with “filestead users add NAME --perm.admin”, or start once with --newInstallation`;
}

/** Whether a previous start has completed in this data folder. */
export const isMarkedInstallation = ({ data }: Pick<InstallationOptions, 'data'>): boolean =>
  existsSync(markerOf(data));

/**
 * Records that a start has completed and that the installation has users. Does nothing if the marker exists.
 */
export function markInstallation({ data }: Pick<InstallationOptions, 'data'>): void {
  if (existsSync(markerOf(data))) return;
  const text = `${JSON.stringify({ began: new Date().toISOString() })}\n`;
  const temporary = `${markerOf(data)}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  adoptOwner(temporary);
  renameSync(temporary, markerOf(data));
}
