import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { KeptRow, Tables } from '../schema.ts';
import type { FilePosition, VersionAge, WrittenBy } from '../version-repository.ts';
import { hasOwner } from './kept/kept-rows.ts';
import { inPieces } from './place-tree.ts';

/** The file with a name in a folder. */
export interface FileKey {
  readonly place: number;
  readonly key: string;
}

/** Selects the versions of a file that exists. */
export const selectVersions = (database: Kysely<Tables>, { place, key }: FileKey) =>
  database
    .selectFrom('kept')
    .select(['id', 'user_id', 'act', 'kept_at'])
    .where('name_key', '=', key)
    .where('place', '=', place)
    .where('owner_id', '=', '');

/** Returns the act of a version whose content is that of a new file, which an operation of the kind `kind` has created. */
export const actOfCreation = (kind: string): string =>
  kind === 'upload' || kind === 'save' ? kind : 'create';

/** Returns the change that made the current state of a file: the one that replaced the latest former state. */
export async function lastChangeOf(
  database: Kysely<Tables>,
  place: number,
  key: string,
): Promise<WrittenBy | null> {
  const row = await selectVersions(database, { place, key })
    .orderBy('kept_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { userId: row.user_id, act: row.act, time: row.kept_at };
}

type FilePositionColumns = Pick<Selectable<KeptRow>, 'place' | 'name_key' | 'owner_id' | 'kept_at' | 'id'>;

/** The columns of a version that decide whether it is dispensable. */
export type VersionAgeColumns = FilePositionColumns &
  Pick<Selectable<KeptRow>, 'modified_ns' | 'written_at' | 'label' | 'keep_forever'>;

/**
 * Returns the properties of a version that decide whether it is dispensable. One whose writing was not logged counts as written
 * when it was modified, or replaced if that was earlier.
 */
export const versionAgeOf = (row: VersionAgeColumns): VersionAge => ({
  id: row.id,
  file: `${row.place}/${row.name_key}/${row.owner_id}`,
  writtenAt: row.written_at ?? Math.min(Number(BigInt(row.modified_ns) / 1_000_000n), row.kept_at),
  keptAt: row.kept_at,
  isAnnotated: row.label !== null || row.keep_forever === 1,
});

/** Selects the versions after a position in the order by file. */
export const isAfter = (position: FilePosition): RawBuilder<SqlBool> =>
  sql<SqlBool>`(place, name_key, owner_id, kept_at, id) > (${sql.join(position)})`;

/** Returns the position after the last row of a page in the order by file; null if the page is empty. */
export function endOfPage(rows: readonly FilePositionColumns[]): FilePosition | null {
  const row = rows.at(-1);
  return row === undefined ? null : [row.place, row.name_key ?? '', row.owner_id, row.kept_at, row.id];
}

/** Changes the file to which versions belong. */
export async function moveVersions(
  transaction: Kysely<Tables>,
  { place, key }: FileKey,
  change: Partial<Pick<KeptRow, 'owner_id' | 'place' | 'name' | 'name_key'>>,
): Promise<void> {
  await transaction
    .updateTable('kept')
    .set(change)
    .where('name_key', '=', key)
    .where('place', '=', place)
    .where('owner_id', '=', '')
    .execute();
}

/** Updates the versions of deleted files, and of the files in deleted folders, if `condition` applies to them. */
export async function updateDependents(
  transaction: Kysely<Tables>,
  ids: readonly string[],
  change: Pick<KeptRow, 'purge_at' | 'purged_by'>,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  if (ids.length === 0) return;
  const versions = transaction
    .updateTable('kept')
    .set(change)
    .where('name_key', 'is not', null)
    .where(condition);
  await versions.where(hasOwner).where('owner_id', 'in', ids).execute();
  const below = await sql<{ id: number }>`
    with recursive below(id) as (
      select id from places where kept_id in (${sql.join(ids)})
      union all select places.id from places join below on places.parent = below.id
    ) select id from below`.execute(transaction);
  for (const places of inPieces(below.rows.map(({ id }) => id))) {
    await versions.where('place', 'in', places).where('owner_id', '=', '').execute();
  }
}
