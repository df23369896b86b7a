import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type GlobalSettings, openGlobalSettings } from '../access/global-settings.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { CliError } from './command.ts';

/** What is stored, as commands work on it. */
export interface OpenData {
  readonly config: Config;
  readonly database: Database;
  readonly settings: GlobalSettings;
}

/** Whether there is a database; an empty file is none. */
export const hasDatabase = ({ database }: Config): boolean =>
  (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Throws {@link CliError} unless there is a database. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CliError(
    `there is no database at ${config.database}; say where it is with --data or --database, or make one with “filestead config init”`,
  );
}

/** Makes the folder of the database for its owner only, unless it is there. */
export function prepareDataFolder({ database }: Config): void {
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../database/open-database.ts');
  const isNew = !hasDatabase(config);
  const database = await openDatabase(config.database);
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

const openData = async (config: Config, database: Database): Promise<OpenData> => ({
  config,
  database,
  settings: await openGlobalSettings(database.settings, config.minimumPasswordLength),
});

/** Opens the database for reading, or for one change that is whole by itself, and closes it again. */
export const withData = <T>(config: Config, work: (data: OpenData) => Promise<T>): Promise<T> =>
  withDatabase(config, async (database) => work(await openData(config, database)));

/**
 * The same for several changes, which are made all or not at all; a database that was made for them goes, too. A running
 * server waits when it wants to write meanwhile: `work` takes no longer than it must.
 */
export const withChanges = <T>(config: Config, work: (data: OpenData) => Promise<T>): Promise<T> =>
  withDatabase(config, (database) =>
    database.transact(async (inside) => work(await openData(config, inside))),
  );
