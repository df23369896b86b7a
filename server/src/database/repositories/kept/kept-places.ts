import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import type { Kysely } from 'kysely';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';
import { inPieces, PlaceTree } from '../place-tree.ts';
import { moveVersions, selectVersions } from '../versioned-files.ts';

/** The part of the repository that keeps the folders in which entries were. */
export type KeptPlaces = Pick<TrashRepository, 'hasPlacesAt' | 'movePlaces' | 'prunePlaces'>;

/**
 * Creates the places of the entries in `database`.
 * @param root the place of the served root
 */
export function openKeptPlaces(database: Kysely<Tables>, root: number): KeptPlaces {
  return {
    async hasPlacesAt(path, keyOf) {
      const tree = new PlaceTree(database, root);
      const above = await tree.find(parentOf(path), keyOf);
      if (above === null) return false;
      if ((await tree.find(path, keyOf)) !== null) return true;
      const file = { place: above, key: keyOf(nameOf(path)) };
      return (await selectVersions(database, file).executeTakeFirst()) !== undefined;
    },
    movePlaces: (from, to, keyOf, recorded) =>
      inTransaction(database, async (transaction) => {
        for (const store of recorded?.stores ?? []) {
          await transaction
            .insertInto('ledgers')
            .values({ store, position: '', move_number: recorded?.number ?? 0 })
            .onConflict((conflict) =>
              conflict.column('store').doUpdateSet({ move_number: recorded?.number ?? 0 }),
            )
            .execute();
        }
        const tree = new PlaceTree(transaction, root);
        const above = await tree.find(parentOf(from), keyOf);
        if (above === null) return;
        const name = nameOf(to);
        const key = keyOf(nameOf(from));
        const place = await tree.find(from, keyOf);
        const hasVersions = await selectVersions(transaction, { place: above, key }).executeTakeFirst();
        if (place === null && hasVersions === undefined) return;
        const parent = await tree.ensure(parentOf(to), keyOf);
        if (place !== null) await tree.attach(place, parent, name, keyOf(name));
        await moveVersions(
          transaction,
          { place: above, key },
          { place: parent, name, name_key: keyOf(name) },
        );
      }),
    prunePlaces: (limit) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('places')
          .select('id')
          .where((where) =>
            where.not(
              where.exists(
                where.selectFrom('kept').select('kept.id').whereRef('kept.place', '=', 'places.id'),
              ),
            ),
          )
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('places as below')
                  .select('below.id')
                  .whereRef('below.parent', '=', 'places.id'),
              ),
            ),
          )
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('operation_steps')
                  .select('operation_steps.id')
                  .where((step) =>
                    step.or([
                      step('operation_steps.place', '=', step.ref('places.id')),
                      step('operation_steps.from_place', '=', step.ref('places.id')),
                    ]),
                  ),
              ),
            ),
          )
          .where((where) =>
            where.not(
              where.exists(
                where.selectFrom('marks').select('marks.id').whereRef('marks.place', '=', 'places.id'),
              ),
            ),
          )
          .limit(limit)
          .execute();
        const ids = rows.map(({ id }) => id);
        for (const piece of inPieces(ids)) {
          await transaction.deleteFrom('places').where('id', 'in', piece).execute();
        }
        return ids.length;
      }),
  };
}
