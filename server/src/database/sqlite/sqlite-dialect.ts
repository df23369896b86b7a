import { type Dialect, SqliteDialect } from 'kysely';
import { type SqliteConnection, type SqliteStatement, type SqliteValue } from './open-sqlite.ts';
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

const isRollback = (sql: string): boolean => sql === 'rollback';
/** Whether `error` says that SQLite has rolled back by itself, as after a full disk or an I/O error (lang_transaction §3). */
const isRolledBack = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('no transaction is active');

/** Statements with which a change begins; those inside a transaction are part of it. */
const beginsChange = (sql: string): boolean => /^(?:begin|insert|update|delete)\b/i.test(sql);
const endsTransaction = (sql: string): boolean => sql === 'commit' || isRollback(sql);

/** What the dialect asks about the disk that holds the database. */
export interface DialectGuards {
  /** Called before each change that is not part of a transaction already. Throws to refuse it. */
  readonly beforeChange: () => void;
  /** The error to throw in the place of one of SQLite's. */
  readonly present: (error: unknown) => unknown;
}

/** Lets the query builder speak to a connection of the `node:sqlite` API. */
export function sqliteDialect(
  connection: SqliteConnection,
  { beforeChange, present }: DialectGuards,
): Dialect {
  let isInTransaction = false;
  /** Does `work`. Throws what `present` makes of its errors. */
  const presenting = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw present(error);
    }
  };
  /** Runs one statement, and keeps in mind whether a transaction is open. */
  const attempt = <T>(statement: string, work: () => T): T => {
    if (!isInTransaction && beginsChange(statement)) beforeChange();
    const result = presenting(work);
    if (statement === 'begin') isInTransaction = true;
    if (endsTransaction(statement)) isInTransaction = false;
    return result;
  };
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
        const { statement, reader } = presenting(() => prepare(sql));
        return {
          reader,
          all: (parameters) => attempt(sql, () => statement.all(...parameters.map(bindable))).map(plainRow),
          run: (parameters) => {
            try {
              return attempt(sql, () => statement.run(...parameters.map(bindable)));
            } catch (error) {
              if (!isRollback(sql) || !isRolledBack(error)) throw error;
              isInTransaction = false;
              return { changes: 0, lastInsertRowid: 0 };
            }
          },
          *iterate(parameters) {
            const rows = presenting(() => statement.iterate(...parameters.map(bindable)));
            for (;;) {
              const { done, value } = presenting(() => rows.next());
              if (done === true) return;
              yield plainRow(value);
            }
          },
        };
      },
    },
  });
}
