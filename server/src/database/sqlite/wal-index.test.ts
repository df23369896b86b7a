import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite, type SqliteConnection } from './open-sqlite.ts';
import { openWalIndex, type WalIndex } from './wal-index.ts';

const isLinux = process.platform === 'linux';
let folder: string;
let path: string;
let own: SqliteConnection;
let other: SqliteConnection;
let index: WalIndex | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-wal-'));
  path = join(folder, 'a.db');
  own = openSqlite(path);
  own.exec('PRAGMA journal_mode = WAL');
  own.exec('CREATE TABLE t (n INTEGER)');
  other = openSqlite(path);
});
afterEach(() => {
  other.close();
  own.close();
  index?.close();
  index = null;
  rmSync(folder, { recursive: true });
});

test.runIf(isLinux)('a WAL index changes with each commit of any connection, and with nothing else', () => {
  index = openWalIndex(path);
  expect(index?.hasChanged()).toBe(true);
  expect(index?.hasChanged()).toBe(false);
  for (const [name, connection] of [
    ['other', other],
    ['own', own],
  ] as const) {
    connection.exec('INSERT INTO t VALUES (1)');
    expect([name, index?.hasChanged(), index?.hasChanged()]).toEqual([name, true, false]);
    connection.prepare('SELECT * FROM t').all();
    connection.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (2); ROLLBACK');
    expect([name, index?.hasChanged()]).toEqual([name, false]);
  }
});

test.runIf(isLinux)('a WAL index reports a commit after the log was reset', () => {
  index = openWalIndex(path);
  other.exec('INSERT INTO t VALUES (1)');
  index?.hasChanged();
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  index?.hasChanged();
  other.exec('INSERT INTO t VALUES (2)');
  expect(index?.hasChanged()).toBe(true);
});

test('opening the WAL index returns null without a write-ahead log', () => {
  const plain = join(folder, 'plain.db');
  const connection = openSqlite(plain);
  connection.exec('CREATE TABLE t (n INTEGER)');
  expect(openWalIndex(plain)).toBeNull();
  connection.close();
});
