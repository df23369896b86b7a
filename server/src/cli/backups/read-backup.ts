import { openSqlite, type SqliteConnection } from '../../database/sqlite/open-sqlite.ts';
import { CliError } from '../command.ts';

/** Data read from a copy of a database that no other process uses. */
export interface BackupContents {
  /** Names of the migrations applied to it. */
  readonly schema: readonly string[];
  readonly users: number;
  readonly shares: number;
  /** Branding folder of the settings; empty if there is none. */
  readonly brandingFolder: string;
}

/** Opens an SQLite file for `work`. */
export function withCopy<T>(path: string, work: (connection: SqliteConnection) => T): T {
  const connection = openSqlite(path);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

function brandingFolderOf(value: unknown): string {
  try {
    const { branding } = JSON.parse(String(value)) as { branding?: { files?: unknown } };
    return typeof branding?.files === 'string' ? branding.files.trim() : '';
  } catch {
    return '';
  }
}

/**
 * Checks every page and foreign key of a copy. Throws {@link CliError} if it is damaged or not a database of
 * Filestead.
 */
export function examineCopy(path: string): BackupContents {
  try {
    return withCopy(path, (connection) => {
      const integrity = JSON.stringify(connection.prepare('PRAGMA integrity_check').all());
      const orphans = connection.prepare('PRAGMA foreign_key_check').all();
      if (integrity !== '[{"integrity_check":"ok"}]' || orphans.length > 0) {
        throw new CliError('its database is damaged');
      }
      const countOf = (table: string): number =>
        (connection.prepare(`select count(*) as count from ${table}`).all() as { count: number }[])[0]
          ?.count ?? 0;
      const steps = connection.prepare('select name from kysely_migration order by name').all();
      const settings = connection.prepare('select value_json from settings').all() as {
        value_json: string;
      }[];
      return {
        schema: (steps as { name: string }[]).map(({ name }) => name),
        users: countOf('users'),
        shares: countOf('shares'),
        brandingFolder: brandingFolderOf(settings[0]?.value_json),
      };
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('its database is damaged, or not one of Filestead', { cause: error });
  }
}
