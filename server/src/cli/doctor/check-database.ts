import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { hasDatabaseFile } from '../../database/database-file.ts';
import { describeDatabaseLoss } from '../../database/installation.ts';
import { knownSteps } from '../../database/migrate.ts';
import { openSqlite, type SqliteConnection } from '../../database/sqlite/open-sqlite.ts';
import { diskFailureOf } from '../../database/sqlite/sqlite-errors.ts';
import { countOf } from '../count-of.ts';
import { type Finding, passed, failed } from './finding.ts';

/** Time in milliseconds by which a row may be ahead of the clock. */
const clockToleranceMs = 5 * 60_000;

const restore = 'filestead restore FILE';

/** Checks that the files of the database belong to the owner of their folder, who is the server's account. */
function checkOwner(database: string): Finding[] {
  const folder = dirname(database);
  const owner = statSync(folder).uid;
  const foreign = ['', '-wal', '-shm', '-backups']
    .map((suffix) => `${database}${suffix}`)
    .filter((path) => existsSync(path) && statSync(path).uid !== owner);
  if (foreign.length === 0) return [];
  const text = `${foreign.join(', ')} does not belong to user ${owner}, the owner of ${folder}: the server may not open it`;
  return [failed('error', 'database', text, `chown -R ${owner} ${folder}, and run commands as that account`)];
}

function checkSchema(connection: SqliteConnection): Finding[] {
  const rows = connection.prepare('select name from kysely_migration').all() as { name: string }[];
  const done = rows.map(({ name }) => name);
  const foreign = done.find((name) => !knownSteps.includes(name));
  if (foreign !== undefined) {
    const text = `created by a newer version of Filestead (it contains the migration “${foreign}”): this version will not start`;
    return [failed('error', 'database', text, 'install the newer version, or restore a backup')];
  }
  const pending = knownSteps.filter((name) => !done.includes(name));
  if (pending.length === 0) return [];
  const text = `${countOf(pending.length, 'migration')} pending: the next start copies the database and applies ${pending.join(', ')}`;
  return [passed('database', text, 'info')];
}

/** Compares the clock of this machine with the times of the newest rows. */
function checkClock(connection: SqliteConnection, now: number): Finding[] {
  const [row] = connection
    .prepare('select max(created_at) as created, max(last_seen_at) as seen from sessions')
    .all() as { created: number | null; seen: number | null }[];
  const newest = Math.max(row?.created ?? 0, row?.seen ?? 0);
  if (newest <= now + clockToleranceMs) return [passed('clock', new Date(now).toISOString())];
  const text = `the clock says ${new Date(now).toISOString()}, but a session was used at ${new Date(newest).toISOString()}: sessions and shares end at wrong times`;
  return [failed('warn', 'clock', text, 'timedatectl set-ntp true')];
}

/** Checks owner, integrity and schema of the database, and the clock against its rows. Changes nothing. */
export function checkDatabase(config: Config, now: number): Finding[] {
  const { data, database, isNewInstallation } = config;
  const loss = describeDatabaseLoss({ data, database, isNewInstallation });
  if (loss !== null) return [failed('error', 'database', loss, restore)];
  let connection: SqliteConnection | null = null;
  try {
    if (!hasDatabaseFile(database)) {
      return [passed('database', `${database} does not exist yet; the first start creates it`, 'info')];
    }
    const owner = checkOwner(database);
    connection = openSqlite(database);
    connection.exec('PRAGMA busy_timeout = 5000');
    connection.exec('PRAGMA query_only = on');
    const rows = connection.prepare('PRAGMA integrity_check(3)').all() as { integrity_check: string }[];
    if (rows[0]?.integrity_check !== 'ok') {
      const problems = rows.map((row) => row.integrity_check).join('; ');
      return [...owner, failed('error', 'database', `${database} is damaged: ${problems}`, restore)];
    }
    const found = [...owner, ...checkSchema(connection)];
    const schemaFindings =
      found.length === 0 ? [passed('database', `${database}: intact, up to date`)] : found;
    return [...schemaFindings, ...checkClock(connection, now)];
  } catch (error) {
    if (diskFailureOf(error) === 'damaged') {
      return [failed('error', 'database', `${database} is damaged: the server will not start`, restore)];
    }
    const reason = error instanceof Error ? error.message : String(error);
    return [failed('error', 'database', `${database} cannot be checked: ${reason}`, restore)];
  } finally {
    connection?.close();
  }
}
