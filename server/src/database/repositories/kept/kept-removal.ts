import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';
import { inPieces, PlaceTree } from '../place-tree.ts';
import { hasOwner } from './kept-rows.ts';

/** Removes entries. The places of deleted folders and the versions of deleted files belong to their original paths again. */
async function removeEntries(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const tree = new PlaceTree(transaction);
  for (const piece of inPieces(ids)) {
    await tree.removeMarksOf(piece);
    const owners = await transaction
      .selectFrom('kept')
      .innerJoin('places', 'places.kept_id', 'kept.id')
      .select(['kept.place as parent', 'places.id', 'places.name', 'places.key'])
      .where('kept.id', 'in', piece)
      .execute();
    for (const { id, parent, name, key } of owners) await tree.attach(id, parent, name, key);
    await transaction
      .updateTable('kept')
      .set({ owner_id: '' })
      .where(hasOwner)
      .where('owner_id', 'in', piece)
      .where('purge_at', 'is', null)
      .execute();
    await transaction.deleteFrom('kept').where('id', 'in', piece).execute();
    await transaction.deleteFrom('shares').where('kept_id', 'in', piece).execute();
  }
}

/** The part of the repository that removes entries from the index. */
export type KeptRemoval = Pick<TrashRepository, 'restored' | 'remove' | 'clear'>;

/**
 * Creates the removal of the entries in `database`.
 * @param root the place of the served root
 */
export function openKeptRemoval(database: Kysely<Tables>, root: number): KeptRemoval {
  return {
    restored: (id, to, keyOf) =>
      inTransaction(database, async (transaction) => {
        const tree = new PlaceTree(transaction, root);
        const place = await tree.detachedOf(id);
        const owned = await transaction
          .selectFrom('kept')
          .select('id')
          .where(hasOwner)
          .where('owner_id', '=', id)
          .executeTakeFirst();
        if (place !== null || owned !== undefined) {
          const parent = await tree.ensure(parentOf(to), keyOf);
          const name = nameOf(to);
          if (place !== null) await tree.attach(place, parent, name, keyOf(name));
          await transaction
            .updateTable('kept')
            .set({ owner_id: '', place: parent, name, name_key: keyOf(name) })
            .where(hasOwner)
            .where('owner_id', '=', id)
            .execute();
        }
        await transaction.deleteFrom('kept').where('id', '=', id).execute();
      }),
    remove: (ids) => inTransaction(database, (transaction) => removeEntries(transaction, ids)),
    clear: () =>
      inTransaction(database, async (transaction) => {
        // Marks of deleted entries are kept: the entries are detached again when they are added.
        const tree = new PlaceTree(transaction);
        const nextDeleted = () =>
          transaction
            .selectFrom('places')
            .innerJoin('kept', 'kept.id', 'places.kept_id')
            .select(['places.id', 'places.name', 'places.key', 'kept.place'])
            .limit(1)
            .executeTakeFirst();
        // One at a time: attaching one may change the place of another.
        for (let next = await nextDeleted(); next !== undefined; next = await nextDeleted())
          await tree.attach(next.id, next.place, next.name, next.key);
        await transaction.deleteFrom('kept').execute();
        // The log refers to places and entries, which get new rows.
        await transaction.deleteFrom('operation_steps').execute();
        await transaction.deleteFrom('operations').execute();
        await sql`delete from places where id not in (
          with recursive needed(id) as (
            select place from marks
            union select places.parent from places join needed on needed.id = places.id
              where places.parent is not null
          ) select id from needed)`.execute(transaction);
        await transaction.deleteFrom('ledgers').execute();
      }),
  };
}
