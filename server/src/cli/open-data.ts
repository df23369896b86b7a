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

/** Opens the database, does `work` as a whole or not at all, and closes it again. A database that was made for it goes too. */
export async function withData<T>(config: Config, work: (data: OpenData) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../database/open-database.ts');
  const isNew = !hasDatabase(config);
  const database = await openDatabase(config.database);
  try {
    const result = await database.transact(async (inside) => {
      const settings = await openGlobalSettings(inside.settings, config.minimumPasswordLength);
      return work({ config, database: inside, settings });
    });
    await database.close();
    return result;
  } catch (error) {
    await database.close();
    if (isNew)
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${config.database}${suffix}`, { force: true });
    throw error;
  }
}
