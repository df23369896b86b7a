import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../schema.ts';
import { PlaceTree } from '../place-tree.ts';
import { isDeletion } from './kept-rows.ts';

/** Detaches the places of marked entries, and of the folders above them, that are in the trash without having a place there. */
export async function detachMarked(transaction: Kysely<Tables>): Promise<void> {
  const tree = new PlaceTree(transaction);
  const { rows } = await sql<{ id: number }>`
    with recursive above(id, parent) as (
      select id, parent from places where id in (select place from marks)
      union select places.id, places.parent from places join above on places.id = above.parent
    ) select id from above where parent is not null`.execute(transaction);
  // Folders come before what they contain.
  for (const { id } of rows.toReversed()) {
    const deleted = await transaction
      .selectFrom('places')
      .innerJoin('kept', (join) =>
        join.onRef('kept.place', '=', 'places.parent').onRef('kept.name', '=', 'places.name'),
      )
      .select(['kept.id', 'kept.kind', 'places.key', 'places.parent'])
      .where('places.id', '=', id)
      .where(isDeletion)
      .orderBy('kept.kept_at', 'desc')
      .orderBy('kept.id', 'desc')
      .executeTakeFirst();
    if (deleted === undefined || deleted.parent === null) continue;
    const { parent, key } = deleted;
    const own = await tree.detachedOf(deleted.id);
    if (own === null)
      await tree.detach(parent, key, { keptId: deleted.id, isFolder: deleted.kind === 'folder' });
    else await tree.merge(id, own);
  }
}
