import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keyOfTag } from '@filestead/contract/values/tag-key';
import type { Kysely } from 'kysely';
import type { KeyAt, MarkRepository } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import { inPieces, PlaceTree, rootPlace } from '../place-tree.ts';
import { addMarks } from './add-marks.ts';

/** Returns the places of those paths that have one. */
async function placesOf(
  transaction: Kysely<Tables>,
  paths: readonly VirtualPath[],
  keyAt: KeyAt,
): Promise<number[]> {
  const tree = new PlaceTree(transaction);
  const places: number[] = [];
  for (const path of paths) {
    const place = await tree.find(path, keyAt(path));
    if (place !== null && place !== rootPlace) places.push(place);
  }
  return places;
}

/** The part of the repository that changes the marks of a user. */
export type MarkChanges = Pick<MarkRepository, 'add' | 'remove' | 'order' | 'forget'>;

/** Creates the changes of the marks in `database`. */
export function openMarkChanges(database: Kysely<Tables>): MarkChanges {
  return {
    add: (...marks) => addMarks(database, ...marks),
    remove: (userId, paths, { kind, tag }, keyAt) =>
      inTransaction(database, async (transaction) => {
        for (const piece of inPieces(await placesOf(transaction, paths, keyAt))) {
          await transaction
            .deleteFrom('marks')
            .where('user_id', '=', userId)
            .where('place', 'in', piece)
            .where('kind', '=', kind)
            .where('tag_key', '=', keyOfTag(tag))
            .execute();
        }
      }),
    order: (userId, paths, keyAt) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('marks')
          .select(['id', 'place'])
          .where('user_id', '=', userId)
          .where('kind', '=', 'favorite')
          .orderBy('position')
          .orderBy('id')
          .execute();
        const first = new Map((await placesOf(transaction, paths, keyAt)).map((place, i) => [place, i]));
        const ordered = rows.toSorted(
          (a, b) => (first.get(a.place) ?? first.size) - (first.get(b.place) ?? first.size),
        );
        for (const [position, { id }] of ordered.entries()) {
          await transaction.updateTable('marks').set({ position }).where('id', '=', id).execute();
        }
      }),
    forget: (places) =>
      inTransaction(database, async (transaction) => {
        for (const piece of inPieces(places)) {
          await transaction.deleteFrom('marks').where('place', 'in', piece).execute();
          await transaction.updateTable('places').set({ gone_at: null }).where('id', 'in', piece).execute();
        }
      }),
  };
}
