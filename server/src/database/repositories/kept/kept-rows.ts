import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type { KeptRow, Tables } from '../../schema.ts';
import type { KeptFilter, NameKey, PlacedKept, StoredKept } from '../../trash-repository.ts';
import type { WrittenBy } from '../../version-repository.ts';
import { below, PlaceTree } from '../place-tree.ts';

/** Returns a row as an entry. */
const storedOf = (row: Selectable<KeptRow>): StoredKept => ({
  id: row.id,
  // Only parsed paths are stored.
  store: row.store as VirtualPath,
  folder: row.folder,
  storedName: row.stored_name,
  originalPath: row.original_path as VirtualPath,
  kind: row.kind as StoredKept['kind'],
  size: row.size,
  modifiedNs: row.modified_ns,
  keptAt: row.kept_at,
  operation: row.operation,
  act: row.act,
  userId: row.user_id,
  session: row.session,
});

/** Whether an entry is a former state of a replaced file. */
export const isVersion = ({ act }: StoredKept): boolean => act !== 'delete';

/**
 * Returns the row of a new entry.
 * @param place the folder that contained it
 * @param written the change that made its content; null if unknown
 */
export const rowOf = (
  entry: StoredKept,
  place: number,
  keyOf: NameKey,
  written: WrittenBy | null,
): KeptRow => ({
  id: entry.id,
  place,
  name: nameOf(entry.originalPath),
  store: entry.store,
  folder: entry.folder,
  stored_name: entry.storedName,
  original_path: entry.originalPath,
  kind: entry.kind,
  size: entry.size,
  modified_ns: entry.modifiedNs,
  kept_at: entry.keptAt,
  operation: entry.operation,
  act: entry.act,
  user_id: entry.userId,
  session: entry.session,
  purge_at: null,
  purged_by: null,
  name_key: isVersion(entry) ? keyOf(nameOf(entry.originalPath)) : null,
  owner_id: '',
  label: null,
  keep_forever: 0,
  unchanged: 0,
  written_by: written?.userId ?? null,
  written_act: written?.act ?? null,
  written_at: written?.time ?? null,
});

/** Selects deleted entries; the others are former states of replaced files. A literal, so that partial indexes are used. */
export const isDeletion = sql<SqlBool>`act = 'delete'`;

/** Selects versions of deleted files; see {@link isDeletion}. */
export const hasOwner = sql<SqlBool>`owner_id <> ''`;

/** Selects the deleted entries that are not being purged. */
export function selectVisible(
  database: Kysely<Tables>,
  { userId, since }: Pick<KeptFilter, 'userId' | 'since'>,
) {
  let query = database.selectFrom('kept').where(isDeletion).where('purge_at', 'is', null);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (since !== undefined && since > 0) query = query.where('kept_at', '>=', since);
  return query;
}

/** Adds the current places to rows. */
export async function withPlaces(
  database: Kysely<Tables>,
  rows: readonly Selectable<KeptRow>[],
): Promise<PlacedKept[]> {
  const places = await new PlaceTree(database).pathsOf(rows.map(({ place }) => place));
  return rows.map((row) => {
    const folder = places.get(row.place);
    if (folder === undefined) throw new Error('the place of a deleted entry is unknown');
    return {
      place: below(folder.path, row.name),
      parentId: folder.keptId,
      purgeAt: row.purge_at,
      purgedBy: row.purged_by,
      isUnchanged: row.unchanged !== 0,
      ...storedOf(row),
    };
  });
}
