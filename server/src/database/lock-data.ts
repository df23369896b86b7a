import { closeSync, existsSync, openSync } from 'node:fs';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** A server that is just ending may hold the lock for so long. */
const waitMs = 2_000;

/** Whether `error` says that somebody else has the lock. */
const isTaken = (error: unknown): boolean => error instanceof Error && /\blocked\b/.test(error.message);

/** Whether a server uses the data folder whose lock is `file`. A missing file is no lock. */
export function isDataLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const connection = openSqlite(file);
  try {
    connection.exec('BEGIN EXCLUSIVE');
    connection.exec('ROLLBACK');
    return false;
  } catch (error) {
    if (isTaken(error)) return true;
    throw error;
  } finally {
    connection.close();
  }
}

/**
 * Takes a data folder for this server alone: two at once would take each other's unfinished files for leftovers. `file` is made
 * for that, for its owner only, and stays; the operating system gives the lock back when the process ends, however it ends.
 * Returns what gives it back earlier. Throws when another server has it.
 */
export function lockData(file: string): () => void {
  closeSync(openSync(file, 'a', 0o600));
  const connection = openSqlite(file);
  try {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
    // Locks that nobody waits for in vain: nothing is ever written (SQLite, lang_transaction §2.3).
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (!isTaken(error)) throw error;
    throw new Error('another server uses this data folder; choose another one with --data', { cause: error });
  }
  return () => connection.close();
}
