import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type GlobalSettings, openGlobalSettings } from '../access/global-settings.ts';
import type { Config } from '../config/config.ts';
import { backupFolderOf, lockFileOf } from '../start/data-folder.ts';
import type { Database } from '../database/database.ts';
import {
  describeDatabaseLoss,
  type InstallationPlace,
  requireInstallation,
  describeUserLoss,
} from '../database/installation.ts';
import { isDataLocked } from '../database/lock-data.ts';
import { CliError } from './command.ts';

/** What is stored, as commands work on it. */
export interface OpenData {
  readonly config: Config;
  readonly database: Database;
  readonly settings: GlobalSettings;
}

const placeOf = ({ data, database, isNewInstallation }: Config): InstallationPlace => ({
  data,
  database,
  isNewInstallation,
});

/** Whether there is a database. Throws {@link CliError} when there was one and it is lost. */
export function hasDatabase(config: Config): boolean {
  const loss = config.isNewInstallation ? null : describeDatabaseLoss(placeOf(config));
  if (loss !== null) throw new CliError(loss);
  return (statSync(config.database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Throws {@link CliError} unless there is a database. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CliError(
    `there is no database at ${config.database}; say where it is with --data or --database, or make one with “filestead config init”`,
  );
}

/** Makes the folder of the database for its owner only, unless it is there. Throws when a database was there and is lost. */
export function prepareDataFolder(config: Config): void {
  const { database } = config;
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  requireInstallation(placeOf(config), backupFolderOf(database));
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../database/open-database.ts');
  const isNew = !hasDatabase(config);
  const database = await openDatabase(config.database, {
    isShared: () => isDataLocked(lockFileOf(config.data)),
  });
  try {
    const result = await work(database);
    await database.close();
    return result;
  } catch (error) {
    await database.close();
    if (isNew) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${config.database}${suffix}`, { force: true });
    }
    throw error;
  }
}

/** What a command expects of the database. */
export interface DataDemands {
  /** The command is of use to a database that has lost its users. */
  readonly mayLackUsers?: boolean;
}

async function openData(
  config: Config,
  database: Database,
  { mayLackUsers }: DataDemands,
): Promise<OpenData> {
  const loss =
    mayLackUsers === true || config.isNewInstallation
      ? null
      : await describeUserLoss(database, placeOf(config));
  if (loss !== null) throw new CliError(loss);
  return {
    config,
    database,
    settings: await openGlobalSettings(database.settings, config.minimumPasswordLength),
  };
}

/** Opens the database for reading, or for one change that is whole by itself, and closes it again. */
export const withData = <T>(
  config: Config,
  work: (data: OpenData) => Promise<T>,
  demands: DataDemands = {},
): Promise<T> => withDatabase(config, async (database) => work(await openData(config, database, demands)));

/**
 * The same for several changes, which are made all or not at all; a database that was made for them goes, too. A running
 * server waits when it wants to write meanwhile: `work` takes no longer than it must.
 */
export const withChanges = <T>(
  config: Config,
  work: (data: OpenData) => Promise<T>,
  demands: DataDemands = {},
): Promise<T> =>
  withDatabase(config, (database) =>
    database.transact(async (inside) => work(await openData(config, inside, demands))),
  );
