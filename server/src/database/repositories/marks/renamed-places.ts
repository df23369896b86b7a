import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import type { Kysely } from 'kysely';
import type { IdentifiedPlace, MarkRepository } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import { inPieces, PlaceTree } from '../place-tree.ts';

/** The part of the repository with which marks follow entries that other programs have renamed or removed. */
export type RenamedPlaces = Pick<
  MarkRepository,
  'setGone' | 'inodes' | 'withInodes' | 'relocate' | 'goneBefore'
>;

/** Creates the search for renamed entries in `database`. */
export function openRenamedPlaces(database: Kysely<Tables>): RenamedPlaces {
  /** Places with an identity that are not deleted themselves. */
  const identified = () =>
    database
      .selectFrom('places')
      .where('inode', 'is not', null)
      .where('is_folder', 'is not', null)
      .where('kept_id', 'is', null);

  return {
    async setGone(places, goneAt) {
      for (const piece of inPieces(places)) {
        await database.updateTable('places').set({ gone_at: goneAt }).where('id', 'in', piece).execute();
      }
    },
    async inodes() {
      const rows = await identified().select('inode').distinct().execute();
      return new Set(rows.flatMap(({ inode }) => inode ?? []));
    },
    async withInodes(inodes) {
      const found: IdentifiedPlace[] = [];
      for (const piece of inPieces(inodes)) {
        const rows = await identified()
          .select(['id', 'is_folder', 'device', 'inode', 'born_ns'])
          .where('inode', 'in', piece)
          .execute();
        const paths = await new PlaceTree(database).pathsOf(rows.map(({ id }) => id));
        for (const { id, is_folder, device, inode, born_ns } of rows) {
          const present = paths.get(id);
          if (present === undefined || present.keptId !== null || inode === null) continue;
          const identity = { device: device ?? '', inode, bornNs: born_ns ?? '' };
          found.push({ place: id, path: present.path, isFolder: is_folder === 1, identity });
        }
      }
      return found;
    },
    relocate: (place, path, keyAt) =>
      inTransaction(database, async (transaction) => {
        const keyOf = keyAt(path);
        const tree = new PlaceTree(transaction);
        const parent = await tree.ensure(parentOf(path), keyOf);
        const above = await tree.placesAbove(parent);
        // A folder is never moved into itself: the path of a loop would have no end.
        if (above.has(place)) return;
        const name = nameOf(path);
        await tree.attach(place, parent, name, keyOf(name));
      }),
    async goneBefore(time, limit) {
      const rows = await database
        .selectFrom('places')
        .select('id')
        .where('gone_at', '<', time)
        .orderBy('gone_at')
        .limit(limit)
        .execute();
      const ids = rows.map(({ id }) => id);
      const paths = await new PlaceTree(database).pathsOf(ids);
      return ids.flatMap((place) => {
        const found = paths.get(place);
        return found === undefined ? [] : [{ place, ...found }];
      });
    },
  };
}
