import { chmodSync } from 'node:fs';
import { openSqlite } from '../../database/sqlite/open-sqlite.ts';
import { diskFailureOf } from '../../database/sqlite/sqlite-errors.ts';
import { CliError } from '../command.ts';

/**
 * Copies a consistent snapshot of the database to a new file with mode 600, even while a server writes to it. Throws {@link CliError} if
 * the disk is full or the database is damaged.
 */
export function copyDatabase(database: string, copy: string): void {
  const connection = openSqlite(database);
  try {
    connection.exec('PRAGMA busy_timeout = 5000');
    connection.prepare('vacuum into ?').run(copy);
  } catch (error) {
    if (diskFailureOf(error) === 'full') throw new CliError(`the disk of ${copy} is full`, { cause: error });
    if (diskFailureOf(error) === 'damaged') {
      throw new CliError(`the database ${database} is damaged; restore an earlier backup`, { cause: error });
    }
    throw error;
  } finally {
    connection.close();
  }
  chmodSync(copy, 0o600);
}
