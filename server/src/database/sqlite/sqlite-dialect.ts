import { type Dialect, SqliteAdapter, SqliteDialect } from 'kysely';
import { LimitedMap } from '../../limited-map.ts';
import { type SqliteConnection, type SqliteStatement, type SqliteValue } from './open-sqlite.ts';
import { assertStorableText } from './storable-text.ts';

/** Maximum number of cached prepared statements; there are fewer distinct ones. */
const maxStatements = 200;

/**
 * Returns a function that copies the rows of one result to plain objects, because the driver's rows have no prototype. All rows have the
 * columns of the first one. Filling copies of an object with these columns takes a tenth of the time of spreading each row.
 */
function plainRows(): (row: unknown) => unknown {
  let columns: readonly string[] | undefined;
  const shape: Record<string, unknown> = {};
  return (row) => {
    if (columns === undefined) {
      columns = Object.keys(row as object);
      for (const column of columns) shape[column] = null;
    }
    const copy = { ...shape };
    for (const column of columns) copy[column] = (row as Record<string, unknown>)[column];
    return copy;
  };
}

/**
 * The only parameter of a statement without rows that runs once for each set of values. It takes half of the time of one statement
 * for many rows, whose values are either bound by the thousand or parsed from JSON.
 */
export class ParameterSets {
  readonly sets: readonly (readonly unknown[])[];

  constructor(sets: readonly (readonly unknown[])[]) {
    this.sets = sets;
  }
}

/**
 * Converts a value of the query builder for SQLite. Throws `bad_request` for text that SQLite would change.
 */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') assertStorableText(value);
  if (value === undefined) return null;
  return value as SqliteValue;
}

const isRollback = (sql: string): boolean => sql === 'rollback';

const endsTransaction = (sql: string): boolean => sql === 'commit' || isRollback(sql);

/** Whether SQLite has already rolled back, as after a full disk or an I/O error (lang_transaction §3). */
const isRolledBack = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('no transaction is active');

/** Whether a statement begins a change when no transaction is open. */
const beginsChange = (sql: string): boolean => /^(?:begin|insert|update|delete)\b/i.test(sql);

/** Returns the sets of values with which a statement runs. */
function setsOf(parameters: readonly unknown[]): readonly (readonly unknown[])[] {
  const [first] = parameters;
  return first instanceof ParameterSets ? first.sets : [parameters];
}

/** Length of all texts of an update, in UTF-16 code units, above which it counts as added data. */
const largeUpdateLength = 1024;

/** Returns the length of all texts of a statement, in UTF-16 code units. */
const textLength = (parameters: readonly unknown[]): number =>
  setsOf(parameters).reduce(
    (sum, values) =>
      values.reduce<number>((length, value) => length + (typeof value === 'string' ? value.length : 0), sum),
    0,
  );

/** Whether a statement adds data that is not needed for signing in. */
function addsData(sql: string, parameters: readonly unknown[]): boolean {
  if (/^insert\b/i.test(sql)) return !/^insert into "(?:sessions|tokens)"/i.test(sql);
  return /^update\b/i.test(sql) && textLength(parameters) > largeUpdateLength;
}

/** Hooks of the dialect for the disk that contains the database. */
export interface DialectGuards {
  /** Called before each change outside a transaction. Throws to refuse it. */
  readonly beforeChange: () => void;
  /** Called before each statement that adds about `bytes` of other data than sessions. Throws to refuse it. */
  readonly beforeGrowth: (bytes: number) => void;
  /** Converts an SQLite error to the error to throw. */
  readonly present: (error: unknown) => unknown;
}

/** All migrations of a start are one transaction, so that one that fails changes nothing. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Connects the query builder to a connection of the `node:sqlite` API. */
export function sqliteDialect(
  connection: SqliteConnection,
  { beforeChange, beforeGrowth, present }: DialectGuards,
): Dialect {
  let isInTransaction = false;
  /** Runs `work` and converts its errors with `present`. */
  const presenting = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw present(error);
    }
  };
  /** Runs one statement and tracks whether a transaction is open. */
  const attempt = <T>(statement: string, parameters: readonly unknown[], work: () => T): T => {
    if (!isInTransaction && beginsChange(statement)) beforeChange();
    if (addsData(statement, parameters)) beforeGrowth(textLength(parameters));
    const result = presenting(work);
    if (statement === 'begin') isInTransaction = true;
    if (endsTransaction(statement)) isInTransaction = false;
    return result;
  };
  const statements = new LimitedMap<string, { statement: SqliteStatement; reader: boolean }>(maxStatements);
  const prepare = (sql: string): { statement: SqliteStatement; reader: boolean } => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    // Every transaction here writes. One that upgraded from reading later would fail if another process wrote
    // in between.
    const statement = connection.prepare(sql === 'begin' ? 'begin immediate' : sql);
    const prepared = { statement, reader: statement.columns().length > 0 };
    statements.set(sql, prepared);
    return prepared;
  };
  return new TransactionalDialect({
    database: {
      close: () => {
        statements.clear();
        connection.close();
      },
      prepare: (sql) => {
        const { statement, reader } = presenting(() => prepare(sql));
        return {
          reader,
          all: (parameters) =>
            attempt(sql, parameters, () => statement.all(...parameters.map(bindable))).map(plainRows()),
          run: (parameters) => {
            try {
              return attempt(sql, parameters, () => {
                let result: ReturnType<SqliteStatement['run']> = { changes: 0, lastInsertRowid: 0 };
                for (const values of setsOf(parameters)) result = statement.run(...values.map(bindable));
                return result;
              });
            } catch (error) {
              if (!isRollback(sql) || !isRolledBack(error)) throw error;
              isInTransaction = false;
              return { changes: 0, lastInsertRowid: 0 };
            }
          },
          *iterate(parameters) {
            const plainRow = plainRows();
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
