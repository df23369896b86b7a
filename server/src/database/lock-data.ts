import { closeSync, existsSync, openSync } from 'node:fs';
import { adoptOwner } from './adopt-owner.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** Time in milliseconds to wait for a server that is shutting down to release the lock. */
const waitMs = 2_000;

/** Whether `error` says that another process holds the lock. */
const isLockedError = (error: unknown): boolean => error instanceof Error && /\blocked\b/.test(error.message);

/** Whether a server uses the data folder with the lock `file`. A missing file means no. */
export function isDataLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const connection = openSqlite(file);
  try {
    connection.exec('BEGIN EXCLUSIVE');
    connection.exec('ROLLBACK');
    return false;
  } catch (error) {
    if (isLockedError(error)) return true;
    throw error;
  } finally {
    connection.close();
  }
}

/**
 * Locks a data folder for this server: two servers would remove each other's temporary files. `file` is
 * created with mode 600 and remains; the operating system releases the lock when the process ends in any way.
 * Returns a function that releases it earlier. Throws if another server holds the lock.
 */
export function lockData(file: string): () => void {
  closeSync(openSync(file, 'a', 0o600));
  adoptOwner(file);
  const connection = openSqlite(file);
  try {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
    // An exclusive transaction as a lock; nothing is ever written (SQLite, lang_transaction §2.3).
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (!isLockedError(error)) throw error;
    throw new Error('another server uses this data folder; choose another one with --data', { cause: error });
  }
  return () => connection.close();
}
