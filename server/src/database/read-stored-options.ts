import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { assertNoFolder } from './database-file.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { diskFailureOf } from './sqlite/sqlite-errors.ts';

/** Throws the system's error if the file, or its folder, in which SQLite creates files, is not writable. */
function assertUsable(path: string): void {
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
}

/** SQLite's error for a table that an older version did not have. */
const missingTable = /no such table/;

/**
 * Reads the start-up options stored in the database at `path`, before it is opened for use; none if there is
 * no database. Other errors of the file are left to `openDatabase`. Throws the system's error if the file may
 * not be opened.
 */
export function readStoredOptions(path: string): Record<string, string> {
  assertNoFolder(path);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return {};
  accessSync(path, constants.R_OK);
  const connection = openSqlite(path);
  try {
    connection.exec('PRAGMA busy_timeout = 5000');
    const rows = connection.prepare('select name, value from server_options').all();
    return Object.fromEntries(
      (rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
    );
  } catch (error) {
    if (diskFailureOf(error) === 'damaged' || (error instanceof Error && missingTable.test(error.message)))
      return {};
    // SQLite does not report why it cannot open a file; the system does.
    assertUsable(path);
    throw error;
  } finally {
    connection.close();
  }
}
