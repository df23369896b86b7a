import { type Dialect, SqliteDialect } from 'kysely';
import { AppError } from '../http/app-error.ts';
import { isFull, type SqliteConnection, type SqliteStatement, type SqliteValue } from './open-sqlite.ts';
import { assertStorableText } from './storable-text.ts';

/** Most statements that are kept prepared; there are fewer different ones than that. */
const maxStatements = 200;

/** Rows of the driver have no prototype; ordinary objects are what the rest of the code compares and spreads. */
const plainRow = (row: unknown): unknown => ({ ...(row as object) });

/** A value of the query builder as SQLite takes it. Throws `bad_request` for text that SQLite would not keep as it is. */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') assertStorableText(value);
  if (value === undefined) return null;
  return value as SqliteValue;
}

/** Does `work`. Throws `storage_full` when the disk of the database is; other errors pass. */
function withRoom<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new AppError('storage_full', 'the disk that holds the database is full', { cause: error });
  }
}

/** Lets the query builder speak to a connection of the `node:sqlite` API. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  const statements = new Map<string, { statement: SqliteStatement; reader: boolean }>();
  const prepare = (sql: string): { statement: SqliteStatement; reader: boolean } => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    // Every transaction here writes. One that only found out later would fail when another process wrote in between.
    const statement = connection.prepare(sql === 'begin' ? 'begin immediate' : sql);
    const prepared = { statement, reader: statement.columns().length > 0 };
    if (statements.size >= maxStatements) statements.clear();
    statements.set(sql, prepared);
    return prepared;
  };
  return new SqliteDialect({
    database: {
      close: () => {
        statements.clear();
        connection.close();
      },
      prepare: (sql) => {
        const { statement, reader } = prepare(sql);
        return {
          reader,
          all: (parameters) => withRoom(() => statement.all(...parameters.map(bindable))).map(plainRow),
          run: (parameters) => withRoom(() => statement.run(...parameters.map(bindable))),
          *iterate(parameters) {
            for (const row of statement.iterate(...parameters.map(bindable))) yield plainRow(row);
          },
        };
      },
    },
  });
}
