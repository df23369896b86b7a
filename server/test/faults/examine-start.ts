import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { TemporaryJournal } from '../../src/storage/disk/writes/temporary-journal.ts';
import { readTree } from './trees.ts';

/** Time within which a started server has to finish its cleanup. */
const cleanupMs = 3_000;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
}

/** Returns the errors of the database, which is read while the server runs, and the unfinished files that it refers to. */
function examineDatabase(data: string): { problems: string[]; referenced: Set<string> } {
  const connection = openSqlite(join(data, 'filestead.db'));
  try {
    const result = JSON.stringify(connection.prepare('pragma integrity_check').all());
    const orphans = JSON.stringify(connection.prepare('pragma foreign_key_check').all());
    const rows = connection.prepare('select part_name as name from uploads').all() as { name: string }[];
    return {
      problems: [
        ...(result === '[{"integrity_check":"ok"}]' ? [] : [`the database: ${result}`]),
        ...(orphans === '[]' ? [] : [`the database: ${orphans}`]),
      ],
      referenced: new Set(rows.map(({ name }) => name)),
    };
  } finally {
    connection.close();
  }
}

/** The records of the journal of unfinished files whose work has not ended. */
function openRecords(data: string): unknown[] {
  const { journal, leftovers } = TemporaryJournal.open(join(data, 'temporary-files'));
  journal.close();
  return [...leftovers.unfinished, ...leftovers.placeholders, ...leftovers.removals];
}

/**
 * Returns the errors in the folders of a server that has just started and completed its jobs: the database has to be
 * intact, unfinished files removed except for uploads that can be resumed, and the secrets accessible only to their
 * owner.
 */
export async function examineStart(root: string, data: string): Promise<string[]> {
  const { problems, referenced } = examineDatabase(data);
  for (const path of readTree(root).temporary) {
    if (!referenced.has(basename(path))) problems.push(`${path} was left behind`);
  }
  for (const path of [data, ...filesBelow(data)]) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & 0o077) !== 0) problems.push(`${path} is accessible to others`);
  }
  const isUnfinished = (): boolean => filesBelow(data).some((path) => path.endsWith('.part'));
  const end = performance.now() + cleanupMs;
  while ((isUnfinished() || openRecords(data).length > 0) && performance.now() < end) await sleep(50);
  if (isUnfinished()) problems.push('unfinished thumbnails were left behind');
  const records = openRecords(data);
  if (records.length > 0) problems.push(`the journal has open records: ${JSON.stringify(records)}`);
  return problems;
}
