import { createRequire } from 'node:module';

/** A value that SQLite stores. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** The subset of a prepared statement of `node:sqlite` that is used here. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[];
  run(...parameters: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteValue[]): IterableIterator<unknown>;
  columns(): unknown[];
}

/** The subset of `node:sqlite` that is used here. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (path: string) => SqliteConnection;
}

/** Whether Node.js provides the API without a flag, which it does since 22.13. */
function hasBuiltIn(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/** Opens an SQLite file with the API of `node:sqlite`, built in or from the substitute package. */
export function openSqlite(path: string): SqliteConnection {
  const require = createRequire(import.meta.url);
  const name = hasBuiltIn() ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = require(name) as SqliteModule;
  return new DatabaseSync(path);
}

/**
 * Whether `error` reports a duplicate of a unique value: SQLITE_CONSTRAINT_UNIQUE or _PRIMARYKEY by number,
 * or by SQLite's text where `@photostructure/sqlite` passes no number on (statements with rows).
 */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return error.errcode === 2067 || error.errcode === 1555;
  return error.message.startsWith('UNIQUE constraint failed');
}
