import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type GlobalSettings, openGlobalSettings } from '../access/global-settings.ts';
import type { Config } from '../config/config.ts';
import { makePrivateFolder } from '../database/adopt-owner.ts';
import { backupFolderOf } from '../database/database-file.ts';
import { lockFileOf } from '../start/data-folder.ts';
import type { Database } from '../database/database.ts';
import {
  describeDatabaseLoss,
  type InstallationOptions,
  assertInstallation,
  describeUserLoss,
} from '../database/installation.ts';
import { isDataLocked, lockData } from '../database/lock-data.ts';
import { CliError } from './command.ts';

/** The opened data on which commands work. */
export interface OpenData {
  readonly config: Config;
  readonly database: Database;
  readonly settings: GlobalSettings;
}

const installationOf = ({ data, database, isNewInstallation }: Config): InstallationOptions => ({
  data,
  database,
  isNewInstallation,
});

/** Whether a server uses the data folder. */
export const isServerRunning = (config: Pick<Config, 'data'>): boolean =>
  isDataLocked(lockFileOf(config.data));

/**
 * Locks the data folder and returns the function that releases it. Throws {@link CliError} if a server uses it.
 * @param remedy what the error message tells the user to do
 */
export function lockDataFolder(config: Pick<Config, 'data'>, remedy = 'stop it first'): () => void {
  if (isServerRunning(config)) throw new CliError(`a server uses this data folder; ${remedy}`);
  return lockData(lockFileOf(config.data));
}

/** Whether there is a database. Throws {@link CliError} if it existed and is missing. */
export function hasDatabase(config: Config): boolean {
  const loss = config.isNewInstallation ? null : describeDatabaseLoss(installationOf(config));
  if (loss !== null) throw new CliError(loss);
  return (statSync(config.database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Throws {@link CliError} unless there is a database. */
export function assertDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CliError(
    `there is no database at ${config.database}; specify it with --data or --database, or create one with “filestead config init”`,
  );
}

/**
 * Creates the folder of the database with mode 700 if it does not exist. Throws if a database existed and is
 * missing.
 */
export function prepareDataFolder(config: Config): void {
  const { database } = config;
  makePrivateFolder(dirname(database));
  assertInstallation(installationOf(config), backupFolderOf(database));
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../database/open-database.ts');
  const isNew = !hasDatabase(config);
  const database = await openDatabase(config.database, {
    isShared: () => isServerRunning(config),
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

/** Requirements of a command on the database. */
export interface DataRequirements {
  /** Whether the command may be used on a database that has lost its users. */
  readonly allowsMissingUsers?: boolean;
}

async function openData(
  config: Config,
  database: Database,
  { allowsMissingUsers }: DataRequirements,
): Promise<OpenData> {
  const loss =
    allowsMissingUsers === true || config.isNewInstallation
      ? null
      : await describeUserLoss(database, installationOf(config));
  if (loss !== null) throw new CliError(loss);
  return {
    config,
    database,
    settings: await openGlobalSettings(database.settings, config.minimumPasswordLength),
  };
}

/** Opens the database for reading or for one atomic change, and closes it afterwards. */
export const withData = <T>(
  config: Config,
  work: (data: OpenData) => Promise<T>,
  requirements: DataRequirements = {},
): Promise<T> =>
  withDatabase(config, async (database) => work(await openData(config, database, requirements)));

/**
 * Like {@link withData}, for several changes in one transaction; a database created for them is removed if
 * they fail. A running server has to wait for its own writes meanwhile, so `work` should be short.
 */
export const withChanges = <T>(
  config: Config,
  work: (data: OpenData) => Promise<T>,
  requirements: DataRequirements = {},
): Promise<T> =>
  withDatabase(config, (database) =>
    database.transact(async (transaction) => work(await openData(config, transaction, requirements))),
  );
