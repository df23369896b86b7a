import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { version } from '../version.ts';
import type { Database } from './database.ts';
import { inTransaction } from './sqlite/in-transaction.ts';
import {
  createDatabaseFile,
  type DatabaseIdentity,
  hasDatabaseFile,
  identifyDatabase,
  protectForeignLog,
} from './database-file.ts';
import { openDiskReserve } from './disk-reserve.ts';
import { knownSteps, migrate, NewerDatabaseError } from './migrate.ts';
import {
  copyBeforeMigration,
  describeRecovery,
  pruneCopies,
  readVersion,
  recordVersion,
} from './migration-copy.ts';
import { openSqlite, type SqliteConnection } from './sqlite/open-sqlite.ts';
import type { Tables } from './schema.ts';
import { openJobRepository } from './repositories/job-repository.ts';
import { openMarkRepository } from './repositories/mark-repository.ts';
import { openOperationRepository } from './repositories/operation-repository.ts';
import { openServerOptionsRepository } from './repositories/server-options-repository.ts';
import { openSessionRepository } from './repositories/session-repository.ts';
import { openSettingsRepository } from './repositories/settings-repository.ts';
import { openShareRepository } from './repositories/share-repository.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { openWalIndex, type WalIndex } from './sqlite/wal-index.ts';
import { damageText, presentDiskFailure, diskFailureOf } from './sqlite/sqlite-errors.ts';
import { openRetentionRepository } from './repositories/retention-repository.ts';
import { openRestorationRepository } from './repositories/kept/restoration-repository.ts';
import { openTrashRepository } from './repositories/trash-repository.ts';
import { openVersionRepository } from './repositories/version-repository.ts';
import { openFolderUploadRepository } from './repositories/folder-upload-repository.ts';
import { openUploadRepository } from './repositories/upload-repository.ts';
import { openUserRepository } from './repositories/user-repository.ts';

/** Throws the error of a damaged file unless SQLite finds the database intact (PRAGMA quick_check). */
function assertIntact(connection: SqliteConnection): void {
  const rows = connection.prepare('PRAGMA quick_check(1)').all();
  if (JSON.stringify(rows) !== '[{"quick_check":"ok"}]') throw new Error(damageText);
}

/** Whether `error` or one of its causes is this kind of disk or file error. */
function hasCause(error: unknown, failure: ReturnType<typeof diskFailureOf>): boolean {
  if (diskFailureOf(error) === failure) return true;
  return error instanceof Error && error.cause !== undefined && hasCause(error.cause, failure);
}

/**
 * Creates the tables in a new file, without a write-ahead log: no other process reads it before it has its
 * name. It is flushed once, by the caller, instead of after each of a hundred statements.
 */
async function fillDatabase(path: string): Promise<void> {
  const connection = openSqlite(path);
  connection.exec('PRAGMA journal_mode = OFF');
  connection.exec('PRAGMA synchronous = OFF');
  const guards = {
    beforeChange: () => undefined,
    beforeGrowth: () => undefined,
    present: (error: unknown) => error,
  };
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, guards) });
  try {
    await migrate(kysely);
    recordVersion(connection, version);
  } finally {
    await kysely.destroy();
  }
}

/** Options for opening a database. */
export interface OpenOptions {
  /**
   * Whether another process continues to use the database after it is closed here; its write-ahead log then
   * keeps its size. Called on closing.
   */
  readonly isShared?: () => boolean;
  /**
   * Called if closing could not write everything to the main file, so that the `-wal` file is still needed.
   */
  readonly onIncomplete?: (error: unknown) => void;
  /** Called with the copy that was made before missing migrations were applied. */
  readonly onCopied?: (copy: string) => void;
}

/**
 * Applies missing migrations after copying the database. If they fail, nothing has changed and the copy is removed, so
 * that repeated starts do not fill the disk.
 */
async function migrateFile(
  kysely: Kysely<Tables>,
  connection: SqliteConnection,
  path: string,
): Promise<string | null> {
  const copies: string[] = [];
  try {
    await migrate(kysely, () => void copies.push(copyBeforeMigration(connection, path)));
  } catch (error) {
    for (const copy of copies) rmSync(copy, { force: true });
    if (!(error instanceof NewerDatabaseError)) throw error;
    const newerVersion = readVersion(connection);
    throw new Error(
      `the database ${path} was created by a newer version of Filestead (${newerVersion}, with “${error.step}”) than this one (${version}); ${describeRecovery(path, knownSteps)}`,
      { cause: error },
    );
  }
  recordVersion(connection, version);
  const [copy] = copies;
  if (copy === undefined) return null;
  pruneCopies(path);
  return copy;
}

/** The time for which a write and closing wait for other processes, in milliseconds. */
const waitMs = { write: 5_000, close: 500 } as const;

/** Writes the write-ahead log to the main file. Throws if another process prevents this. */
function checkpoint(connection: SqliteConnection, isShared: boolean): void {
  connection.exec(`PRAGMA busy_timeout = ${waitMs.close}`);
  const [row] = connection.prepare(`PRAGMA wal_checkpoint(${isShared ? 'PASSIVE' : 'TRUNCATE'})`).all();
  const { busy, log, checkpointed } = row as { busy: number; log: number; checkpointed: number };
  if (busy !== 0 || log !== checkpointed) throw new Error('another program is reading the database');
}

/** Returns the error to throw if opening the database at `path` failed with `error`. */
function describeOpenFailure(error: unknown, path: string): unknown {
  if (hasCause(error, 'damaged')) {
    return new Error(`the database ${path} is damaged; replace it with an intact copy`, { cause: error });
  }
  if (hasCause(error, 'full')) {
    return new Error(`the disk of the database ${path} is full; free some space`, { cause: error });
  }
  if (hasCause(error, 'read_only') || hasCause(error, 'broken')) {
    return new Error(`the database ${path} cannot be written; check its disk and its owner`, {
      cause: error,
    });
  }
  return error;
}

/** Returns a function that returns whether another connection has committed since its last call; see {@link Database}. */
function watchOtherCommits(
  connection: SqliteConnection,
  {
    walIndex,
    present,
  }: { readonly walIndex: WalIndex | null; readonly present: (error: unknown) => unknown },
): () => boolean {
  const statement = connection.prepare('PRAGMA data_version');
  // The number is local to this connection and changes only with commits of others (SQLite, PRAGMA
  // data_version).
  const read = (): string => {
    try {
      return JSON.stringify(statement.all());
    } catch (error) {
      throw present(error);
    }
  };
  let known = read();
  return () => {
    if (walIndex?.hasChanged() === false) return false;
    const found = read();
    if (found === known) return false;
    known = found;
    return true;
  };
}

/**
 * Opens the SQLite file at `path`, created with mode 600 if missing, and applies migrations. `:memory:` keeps
 * everything in memory. Throws if the file is empty, belongs to another program, or was created by a newer
 * version.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  const { isShared = () => false, onIncomplete } = options;
  const isFile = path !== ':memory:';
  if (isFile) {
    if (!hasDatabaseFile(path)) await createDatabaseFile(path, fillDatabase);
    chmodSync(path, 0o600);
  }
  const connection = openSqlite(path);
  const reserve = isFile ? openDiskReserve(connection, path) : null;
  const present = (error: unknown): unknown =>
    presentDiskFailure(error, () => (reserve?.freeBytes() ?? 1) <= 0);
  let identity: DatabaseIdentity | null = null;
  const loss = (): 'removed' | 'replaced' | null => identity?.loss() ?? null;
  const assertSameFile = (): void => {
    const found = loss();
    if (found === null) return;
    const sentence = `the database file was ${found} while the server was running; put it back, or restart the server`;
    throw new AppError('database_unavailable', sentence);
  };
  const beforeChange = (): void => {
    assertSameFile();
    reserve?.prepareChange();
  };
  const beforeGrowth = (bytes: number): void => reserve?.assertRoom(bytes);
  const dialect = sqliteDialect(connection, { beforeChange, beforeGrowth, present });
  const kysely = new Kysely<Tables>({ dialect });
  try {
    for (const pragma of [
      `busy_timeout = ${waitMs.write}`,
      'journal_mode = WAL',
      'synchronous = NORMAL',
      'foreign_keys = ON',
    ]) {
      connection.exec(`PRAGMA ${pragma}`);
    }
    assertIntact(connection);
    if (isFile) {
      const copy = await migrateFile(kysely, connection, path);
      if (copy !== null) options.onCopied?.(copy);
    } else {
      await migrate(kysely);
    }
  } catch (error) {
    await kysely.destroy();
    throw describeOpenFailure(error, path);
  }
  if (isFile) identity = identifyDatabase(path);
  const walIndex = isFile ? openWalIndex(path) : null;
  const wasChangedElsewhere = watchOtherCommits(connection, { walIndex, present });
  const close = async (): Promise<void> => {
    if (loss() !== null) {
      // The files at the path belong to another database now.
      protectForeignLog(path, () => connection.close());
      walIndex?.close();
      return;
    }
    try {
      if (isFile) checkpoint(connection, isShared());
    } catch (error) {
      onIncomplete?.(error);
    }
    await kysely.destroy();
    walIndex?.close();
  };

  const databaseOver = (tables: Kysely<Tables>): Database => ({
    users: openUserRepository(tables),
    sessions: openSessionRepository(tables),
    shares: openShareRepository(tables),
    uploads: openUploadRepository(tables),
    folderUploads: openFolderUploadRepository(tables),
    trash: openTrashRepository(tables),
    restorations: openRestorationRepository(tables),
    versions: openVersionRepository(tables),
    retention: openRetentionRepository(tables),
    marks: openMarkRepository(tables),
    jobs: openJobRepository(tables),
    operations: openOperationRepository(tables),
    settings: openSettingsRepository(tables),
    serverOptions: openServerOptionsRepository(tables),
    transact: (work) => inTransaction(tables, (transaction) => work(databaseOver(transaction))),
    wasChangedElsewhere,
    async backUp(target) {
      closeSync(openSync(target, 'wx', 0o600));
      await sql`vacuum into ${target}`.execute(tables);
    },
    loss,
    refillReserve: () => reserve?.refill(),
    check: async () => {
      assertSameFile();
      await sql`select 1 from settings limit 1`.execute(tables);
    },
    close,
  });
  return databaseOver(kysely);
}
