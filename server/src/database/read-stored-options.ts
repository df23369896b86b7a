import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { troubleOf } from './sqlite/sqlite-errors.ts';

/** Throws the error of the system when the file or its folder, where SQLite makes files of its own, may not be written. */
function mustBeUsable(path: string): void {
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
}

/** What SQLite says of tables that an older version did not make. */
const meansNone = /no such table/;

/**
 * The start-up options that are stored in the database at `path`, before it is opened to be used: none when there is no
 * database yet. What is wrong with the file is for `openDatabase` to say. Throws the error of the system when it may not be opened.
 */
export function readStoredOptions(path: string): Record<string, string> {
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
    if (troubleOf(error) === 'damaged' || (error instanceof Error && meansNone.test(error.message)))
      return {};
    // SQLite does not say why it cannot open a file; the system does.
    mustBeUsable(path);
    throw error;
  } finally {
    connection.close();
  }
}
