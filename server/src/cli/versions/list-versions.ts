import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { nameKeyFor } from '../../access/keeping/kept-entry.ts';
import type { KeptPosition } from '../../database/trash-repository.ts';
import type { StoredVersion } from '../../database/version-repository.ts';
import { CliError, type CommandCall } from '../command.ts';
import { tableOf } from '../table.ts';
import { type TrashData, withTrash } from '../trash/open-trash-data.ts';
import { usernameCells } from '../users/username-cells.ts';

/** Versions per query. */
const pageRows = 500;

async function versionsOf({ database, storage }: TrashData, path: VirtualPath): Promise<StoredVersion[]> {
  const keyOf = nameKeyFor(storage.ignoresCaseAt(path));
  const found: StoredVersion[] = [];
  let after: KeptPosition | undefined;
  for (;;) {
    const page = await database.versions.list(path, keyOf, { after, limit: pageRows });
    found.push(...page);
    after = page.at(-1);
    if (page.length < pageRows) return found;
  }
}

/** `versions list`: prints the versions of a file, the latest first. */
export async function listVersions(call: CommandCall): Promise<void> {
  const [word = ''] = call.words;
  if (!word.startsWith('/'))
    throw new CliError('the path must begin with a slash, which is the served folder');
  const path = virtualPath(word);
  await withTrash(call, async (data) => {
    const versions = await versionsOf(data, path);
    const nameOf = await usernameCells(data.database);
    const rows = versions.map(({ id, keptAt, userId, act, size, label, keepsForever }) => [
      id,
      new Date(keptAt).toISOString(),
      nameOf(userId),
      act,
      String(size ?? '-'),
      [...(keepsForever ? ['kept'] : []), ...(label === null ? [] : [JSON.stringify(label)])].join(' '),
    ]);
    call.terminal.print(tableOf([['ID', 'Replaced', 'By', 'Cause', 'Bytes', 'Label'], ...rows]));
  });
}
