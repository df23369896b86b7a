import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import {
  addNumberColumn,
  addOptionalNumberColumn,
  addTextColumn,
  addUserColumn,
} from './migrations/add-column.ts';
import * as usersSessionsSettings from './migrations/0001-users-sessions-settings.ts';
import * as shares from './migrations/0002-shares.ts';
import * as sessionsAndSignIn from './migrations/0003-sessions-and-sign-in.ts';
import * as serverOptions from './migrations/0004-server-options.ts';
import * as uploads from './migrations/0005-uploads.ts';
import * as lastSignIn from './migrations/0006-last-sign-in.ts';
import * as awaitedScopes from './migrations/0007-awaited-scopes.ts';
import * as blockedUploads from './migrations/0008-blocked-uploads.ts';
import * as permissionToPurge from './migrations/0010-permission-to-purge.ts';
import * as trash from './migrations/0011-trash.ts';
import * as jobs from './migrations/0012-jobs.ts';
import * as versions from './migrations/0013-versions.ts';
import * as shareVisits from './migrations/0014-share-visits.ts';
import * as unfinishedFolders from './migrations/0015-unfinished-folders.ts';
import * as operations from './migrations/0016-operations.ts';
import * as marks from './migrations/0017-marks.ts';
import * as movesAndCancelledJobs from './migrations/0018-moves-and-cancelled-jobs.ts';
import * as unchangedVersions from './migrations/0019-unchanged-versions.ts';
import * as restorationsAndSteps from './migrations/0020-restorations-and-steps-by-name.ts';
import type { Tables } from './schema.ts';

/** All migrations in the order of their names. A released one is never changed. */
const migrations: Record<string, Migration> = {
  '0001-users-sessions-settings': usersSessionsSettings,
  '0002-shares': shares,
  '0003-sessions-and-sign-in': sessionsAndSignIn,
  '0004-server-options': serverOptions,
  '0005-uploads': uploads,
  '0006-last-sign-in': lastSignIn,
  '0007-awaited-scopes': awaitedScopes,
  '0008-blocked-uploads': blockedUploads,
  '0009-autoplay': addUserColumn('autoplay', 0),
  '0010-permission-to-purge': permissionToPurge,
  '0011-trash': trash,
  '0012-jobs': jobs,
  '0013-versions': versions,
  '0014-share-visits': shareVisits,
  '0015-unfinished-folders': unfinishedFolders,
  '0016-operations': operations,
  '0017-marks': marks,
  '0018-moves-and-cancelled-jobs': movesAndCancelledJobs,
  '0019-unchanged-versions': unchangedVersions,
  '0020-restorations-and-steps-by-name': restorationsAndSteps,
  '0021-start-on': addUserColumn('start_on', 'files'),
  // The state of a share before and after a step of the log, as JSON.
  '0022-shares-in-the-log': addTextColumn('operation_steps', 'share'),
  '0023-folders-of-uploads': addNumberColumn('uploads', 'created_parents'),
  // The sentence of the error that blocks a complete upload.
  '0024-details-of-blocked-uploads': addTextColumn('uploads', 'blocked_detail'),
  // The time at which the version was written that the operation restored, copied or deleted.
  '0025-versions-in-the-log': addOptionalNumberColumn('operations', 'version_at'),
  // Without it each deletion looks through the whole trash for deleted folders that have not been measured.
  '0026-unmeasured-folders': {
    async up(database) {
      await sql`create index kept_unmeasured on kept (purge_at, kept_at)
        where act = 'delete' and kind = 'folder' and size is null`.execute(database);
    },
  },
};

/** Names of all migrations of this version. */
export const knownSteps: readonly string[] = Object.keys(migrations);

/** Returns the names of the migrations that were applied to this database. */
async function stepsOf(database: Kysely<Tables>): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map((row) => row.name);
}

/** A database that only a newer version of the product can open. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
  /** A migration that this version does not know. */
  readonly step: string;

  constructor(step: string) {
    super(`the database was created by a newer version of Filestead (it contains the migration “${step}”)`);
    this.step = step;
  }
}

/**
 * Applies missing migrations after calling `beforeChange`, which is not called for a database without tables. Throws
 * {@link NewerDatabaseError}.
 */
export async function migrate(
  database: Kysely<Tables>,
  beforeChange: () => void = () => undefined,
): Promise<void> {
  const done = await stepsOf(database);
  const foreign = done.find((name) => !Object.hasOwn(migrations, name));
  if (foreign !== undefined) throw new NewerDatabaseError(foreign);
  if (done.length === Object.keys(migrations).length) return;
  if (done.length > 0) beforeChange();
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('the database could not be migrated', { cause: error });
}
