import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from './database.ts';

/** The paths that decide whether a start is the first one. */
export interface InstallationPlace {
  /** The data folder. */
  readonly data: string;
  /** The database file. */
  readonly database: string;
  /** Whether the administrator asked for a new installation in a data folder that was in use. */
  readonly isNewInstallation: boolean;
}

/** The file in the data folder that records that an installation has had users. */
const markerOf = (data: string): string => join(data, 'installation.json');

/** Files of SQLite that are meaningless, and would be lost, without the database beside them. */
const companions = ['-wal', '-shm', '-journal'] as const;

const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

const wayOut =
  'put it back with “filestead restore FILE”, or start once with --newInstallation to begin without users';

/** When the installation in the data folder began, as the marker says; null when there is no marker. */
function beganAt(data: string): string | null {
  try {
    const { began } = JSON.parse(readFileSync(markerOf(data), 'utf8')) as { began?: unknown };
    return typeof began === 'string' ? began.slice(0, 10) : 'an earlier start';
  } catch {
    return existsSync(markerOf(data)) ? 'an earlier start' : null;
  }
}

/** Why there is no database that can be opened or made at its path; null when nothing is wrong. */
export function describeDatabaseLoss({ data, database }: InstallationPlace): string | null {
  const size = sizeOf(database);
  if (size === 0) return `the database ${database} is empty (0 bytes); ${wayOut}`;
  if (size !== null) return null;
  const wal = sizeOf(`${database}-wal`) ?? 0;
  if (wal > 0)
    return `the database ${database} is missing, but its ${basename(database)}-wal exists; ${wayOut}`;
  const began = beganAt(data);
  if (began === null) return null;
  return `the database ${database} is missing, but this data folder has been in use since ${began}; ${wayOut}`;
}

/**
 * Checks that the database file exists, or that this is a first start. With `isNewInstallation` an empty file is removed and
 * what a missing database has left is moved into `aside`. Throws an error that names the way out.
 */
export function requireInstallation(place: InstallationPlace, aside: string): void {
  const loss = describeDatabaseLoss(place);
  if (loss === null) return;
  if (!place.isNewInstallation) throw new Error(loss);
  if (sizeOf(place.database) === 0) rmSync(place.database);
  for (const suffix of companions) {
    const path = `${place.database}${suffix}`;
    if (sizeOf(path) === null) continue;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(path, join(aside, `${basename(path)}-${Date.now()}`));
  }
}

/**
 * The sentence for a database whose users are gone although it was in use: the server's keys are made with its first users
 * and stay. Null when there are users, or never were any.
 */
export async function describeUserLoss(
  { users, settings }: Database,
  place: InstallationPlace,
): Promise<string | null> {
  if ((await users.list()).length > 0) return null;
  if (beganAt(place.data) === null && !(await settings.hasSecrets())) return null;
  return `the database ${place.database} has no users, although it was in use; restore a backup with “filestead restore FILE”, add an administrator with “filestead users add NAME --perm.admin”, or start once with --newInstallation`;
}

/** Whether a start has completed in this data folder before. */
export const isMarkedInstallation = ({ data }: Pick<InstallationPlace, 'data'>): boolean =>
  existsSync(markerOf(data));

/** Records that a start has completed and that the installation has users. Does nothing when that is recorded already. */
export function markInstallation({ data }: Pick<InstallationPlace, 'data'>): void {
  if (existsSync(markerOf(data))) return;
  const text = `${JSON.stringify({ began: new Date().toISOString() })}\n`;
  const temporary = `${markerOf(data)}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, markerOf(data));
}
