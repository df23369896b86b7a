import { chmodSync, closeSync, openSync, readSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';
import { migrate } from './migrate.ts';
import { damageText, isDamage, openSqlite, type SqliteConnection } from './open-sqlite.ts';
import type { Tables } from './schema.ts';
import { openServerOptionsRepository } from './server-options-repository.ts';
import { openSessionRepository } from './session-repository.ts';
import { openSettingsRepository } from './settings-repository.ts';
import { openShareRepository } from './share-repository.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { openUploadRepository } from './upload-repository.ts';
import { openUserRepository } from './user-repository.ts';

/** How every SQLite file starts (file format §1.3). */
const sqliteMagic = 'SQLite format 3\0';

/** Creates the file for the owner alone, or checks that the one that is there is SQLite's. */
function prepareFile(path: string): void {
  const file = openSync(path, 'a+', 0o600);
  try {
    const start = Buffer.alloc(sqliteMagic.length);
    const length = readSync(file, start, 0, start.length, 0);
    if (length > 0 && start.toString('latin1') !== sqliteMagic) {
      throw new Error(`${path} is not a database of Filestead; choose another file with --database`);
    }
  } finally {
    closeSync(file);
  }
  chmodSync(path, 0o600);
}

/** Throws the error of a damaged file unless every page of the database makes sense (SQLite, PRAGMA quick_check). */
function mustBeWhole(connection: SqliteConnection): void {
  const rows = connection.prepare('PRAGMA quick_check(1)').all();
  if (JSON.stringify(rows) !== '[{"quick_check":"ok"}]') throw new Error(damageText);
}

/**
 * Opens the SQLite file at `path` (made when missing, readable by its owner only) and brings it up to date.
 * `:memory:` keeps everything in memory. Throws when the file is another program's or a newer version's.
 */
export async function openDatabase(path: string): Promise<Database> {
  if (path !== ':memory:') prepareFile(path);
  const connection = openSqlite(path);
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  try {
    for (const pragma of [
      'busy_timeout = 5000',
      'journal_mode = WAL',
      'synchronous = NORMAL',
      'foreign_keys = ON',
    ]) {
      connection.exec(`PRAGMA ${pragma}`);
    }
    mustBeWhole(connection);
    await migrate(kysely);
  } catch (error) {
    await kysely.destroy();
    if (!isDamage(error)) throw error;
    throw new Error(`the database ${path} is damaged; put a copy that is whole in its place`, {
      cause: error,
    });
  }
  const version = connection.prepare('PRAGMA data_version');
  const readVersion = (): string => JSON.stringify(version.all());
  let knownVersion = readVersion();

  const databaseOver = (tables: Kysely<Tables>): Database => ({
    users: openUserRepository(tables),
    sessions: openSessionRepository(tables),
    shares: openShareRepository(tables),
    uploads: openUploadRepository(tables),
    settings: openSettingsRepository(tables),
    serverOptions: openServerOptionsRepository(tables),
    transact: (work) => inTransaction(tables, (transaction) => work(databaseOver(transaction))),
    // The number is this connection's own: it changes with the commits of others only (SQLite, PRAGMA data_version).
    wasChangedElsewhere() {
      const found = readVersion();
      if (found === knownVersion) return false;
      knownVersion = found;
      return true;
    },
    async backUp(target) {
      closeSync(openSync(target, 'wx', 0o600));
      await sql`vacuum into ${target}`.execute(tables);
    },
    check: async () => {
      await sql`select 1 from settings limit 1`.execute(tables);
    },
    close: () => kysely.destroy(),
  });
  return databaseOver(kysely);
}
