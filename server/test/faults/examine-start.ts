import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
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

/**
 * Returns the errors in the folders of a server that has just started and not been used yet: the database has to be
 * intact, unfinished files removed except for uploads that can be resumed, and the secrets accessible only to their
 * owner.
 */
export async function examineStart(root: string, data: string): Promise<string[]> {
  const { problems, referenced } = examineDatabase(data);
  for (const path of readTree(root).temporary) {
    if (!referenced.has(basename(path))) problems.push(`${path} was left behind`);
  }
  const journal = readFileSync(join(data, 'temporary-files'), 'utf8');
  if (journal !== '') problems.push(`the journal was not cleared: ${journal}`);
  for (const path of [data, ...filesBelow(data)]) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & 0o077) !== 0) problems.push(`${path} is accessible to others`);
  }
  const isUnfinished = (): boolean => filesBelow(data).some((path) => path.endsWith('.part'));
  const end = performance.now() + cleanupMs;
  while (isUnfinished() && performance.now() < end) await sleep(50);
  if (isUnfinished()) problems.push('unfinished thumbnails were left behind');
  return problems;
}
