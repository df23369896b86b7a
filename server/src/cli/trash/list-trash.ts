import type { KeptPosition, ListedKept } from '../../database/trash-repository.ts';
import { isAtOrBelow, virtualPath } from '@filestead/contract/paths/virtual-path';
import { findUser } from '../users/find-user.ts';
import { usernameCells } from '../users/username-cells.ts';
import type { CommandCall } from '../command.ts';
import type { OpenData } from '../open-data.ts';
import { tableOf } from '../table.ts';
import { escapePath } from './escape-path.ts';
import { withTrash } from './open-trash-data.ts';

/** Entries per query. */
const pageRows = 500;

/** Returns the entries that the options of a command select, the latest deletion first. */
export async function selectedEntries(
  { options }: CommandCall,
  { database }: OpenData,
): Promise<ListedKept[]> {
  const below = options.text('below');
  const folder = below === undefined ? undefined : virtualPath(below);
  const name = options.text('user');
  const userId = name === undefined ? undefined : (await findUser(database.users, name)).id;
  const found: ListedKept[] = [];
  let after: KeptPosition | undefined;
  for (;;) {
    const page = await database.trash.list({ userId, after, limit: pageRows });
    found.push(...page.filter(({ place }) => folder === undefined || isAtOrBelow(place, folder)));
    after = page.at(-1);
    if (page.length < pageRows) return found;
  }
}

/** Returns a table of entries with the names of the users who deleted them. */
export async function entryTable(entries: readonly ListedKept[], { database }: OpenData): Promise<string> {
  const nameOf = await usernameCells(database);
  const rows = entries.map(({ id, keptAt, userId, size, place }) => [
    id,
    new Date(keptAt).toISOString(),
    nameOf(userId),
    size === null ? '-' : String(size),
    escapePath(place),
  ]);
  return tableOf([['ID', 'Deleted', 'By', 'Bytes', 'Path'], ...rows]);
}

/** `trash list`: prints what is in the trash. */
export async function listTrash(call: CommandCall): Promise<void> {
  await withTrash(call, async (data) => {
    call.terminal.print(await entryTable(await selectedEntries(call, data), data));
  });
}
