import {
  openSqlite,
  type SqliteConnection,
  type SqliteStatement,
  type SqliteValue,
} from '../../database/sqlite/open-sqlite.ts';
import { createPrivateFile, removeIndex } from '../index-file.ts';

/** Changes with the tables and with the form of the text; an index of another format is rebuilt. */
const formatVersion = 1;

/** The memory for the words of a transaction: with the usual 1 MiB they are written in several parts, which are merged again (bytes). */
const hashBytes = 8 * 1024 * 1024;

const schema = `
  CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    time INTEGER NOT NULL,
    read_size INTEGER,
    read_time INTEGER,
    state INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    UNIQUE (folder, name)
  );
  CREATE INDEX document_pending ON document (time) WHERE state = 0;
  CREATE VIRTUAL TABLE content USING fts5(
    text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
  );
  INSERT INTO content (content, rank) VALUES ('hashsize', ${hashBytes});
  PRAGMA user_version = ${formatVersion};
`;

/** The SQLite file of the index of contents, with its statements and settings. */
export class IndexDatabase {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  private constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Opens the file. One of another format or of another served folder, and a damaged one, is replaced by an empty one.
   *
   * @param root identifies the served folder
   * @param prepare is called with the opened file; if it throws, the file counts as damaged
   */
  static open(file: string, root: string, prepare: (database: IndexDatabase) => void): IndexDatabase {
    createPrivateFile(file);
    let database = IndexDatabase.#tryOpen(file, root, prepare);
    if (database === null) {
      removeIndex(file);
      createPrivateFile(file);
      database = IndexDatabase.#tryOpen(file, root, prepare);
    }
    if (database === null) throw new Error('the index of contents cannot be created');
    return database;
  }

  static #tryOpen(
    file: string,
    root: string,
    prepare: (database: IndexDatabase) => void,
  ): IndexDatabase | null {
    const connection = openSqlite(file);
    try {
      connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
      const [row] = connection.prepare('PRAGMA user_version').all() as { user_version: number }[];
      const version = row?.user_version;
      const database = new IndexDatabase(connection);
      if (version === 0) database.#create(root);
      if ((version === 0 || version === formatVersion) && database.setting('root') === root) {
        prepare(database);
        return database;
      }
      connection.close();
      return null;
    } catch {
      connection.close();
      return null;
    }
  }

  #create(root: string): void {
    this.inTransaction(() => {
      this.#connection.exec(schema);
      this.set('root', root);
    });
  }

  /** Returns a statement, which is prepared once. */
  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Returns the rows of a query. */
  all<Row>(sql: string, ...values: SqliteValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  /** Runs a statement without rows. */
  run(sql: string, ...values: SqliteValue[]): void {
    this.prepare(sql).run(...values);
  }

  /** Runs changes in one transaction, which is rolled back if `work` throws. */
  inTransaction(work: () => void): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#connection.exec('COMMIT');
    } catch (error) {
      try {
        this.#connection.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back already, as on a full disk.
      }
      throw error;
    }
  }

  /** Returns a setting; undefined if it was never set. */
  setting(key: string): string | undefined {
    return this.all<{ value: string }>('SELECT value FROM setting WHERE key = ?', key)[0]?.value;
  }

  /** Stores a setting. */
  set(key: string, value: string): void {
    this.run(
      'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  /** Moves the whole index into one file, and closes it. */
  close(): void {
    this.#connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#statements.clear();
    this.#connection.close();
  }
}
