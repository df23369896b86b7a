import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { readTree } from './trees.ts';

/** How long a started server may take to clear what it clears beside its first answers. */
const clearingMs = 3_000;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
}

/** What is wrong with the database, read beside the server; and the unfinished files that it knows of. */
function examineDatabase(data: string): { problems: string[]; known: Set<string> } {
  const connection = openSqlite(join(data, 'filestead.db'));
  try {
    const verdict = JSON.stringify(connection.prepare('pragma integrity_check').all());
    const orphans = JSON.stringify(connection.prepare('pragma foreign_key_check').all());
    const rows = connection.prepare('select part_name as name from uploads').all() as { name: string }[];
    return {
      problems: [
        ...(verdict === '[{"integrity_check":"ok"}]' ? [] : [`the database: ${verdict}`]),
        ...(orphans === '[]' ? [] : [`the database: ${orphans}`]),
      ],
      known: new Set(rows.map(({ name }) => name)),
    };
  } finally {
    connection.close();
  }
}

/**
 * What is wrong with the folders of a server that has just started, before anybody has asked it for anything: the database is
 * whole, what was unfinished is gone but for uploads that can go on, and the secrets are their owner's.
 */
export async function examineStart(root: string, data: string): Promise<string[]> {
  const { problems, known } = examineDatabase(data);
  for (const path of readTree(root).temporary) {
    if (!known.has(basename(path))) problems.push(`${path} was left behind`);
  }
  const journal = readFileSync(join(data, 'temporary-files'), 'utf8');
  if (journal !== '') problems.push(`the journal was not cleared: ${journal}`);
  for (const path of [data, ...filesBelow(data)]) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & 0o077) !== 0) problems.push(`${path} is open to others`);
  }
  const isUnfinished = (): boolean => filesBelow(data).some((path) => path.endsWith('.part'));
  const end = performance.now() + clearingMs;
  while (isUnfinished() && performance.now() < end) await sleep(50);
  if (isUnfinished()) problems.push('unfinished small pictures were left behind');
  return problems;
}
