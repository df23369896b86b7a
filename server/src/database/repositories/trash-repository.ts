import type { Kysely } from 'kysely';
import type { TrashRepository } from '../trash-repository.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { Tables } from '../schema.ts';
import { addEntries } from './kept/add-entries.ts';
import { detachMarked } from './kept/detach-marked.ts';
import { inBulk } from './kept/in-bulk.ts';
import { openKeptList } from './kept/kept-list.ts';
import { openKeptPlaces } from './kept/kept-places.ts';
import { openKeptRemoval } from './kept/kept-removal.ts';
import { openKeptTotals } from './kept/kept-totals.ts';
import { openKnownEntries } from './kept/known-entries.ts';
import { openLedgerPositions } from './kept/ledger-positions.ts';
import { openPurgeSchedule } from './kept/purge-schedule.ts';
import { PlaceTree, rootPlace } from './place-tree.ts';

/** The root of the tree of {@link TrashRepository.inOwnTree}. */
const ownRoot = -1;

/**
 * Creates the repository of deleted entries in `database`.
 * @param root the place of the served root
 */
export function openTrashRepository(database: Kysely<Tables>, root = rootPlace): TrashRepository {
  return {
    ...openKeptList(database),
    ...openKeptPlaces(database, root),
    ...openKeptRemoval(database, root),
    ...openKeptTotals(database),
    ...openKnownEntries(database),
    ...openLedgerPositions(database),
    ...openPurgeSchedule(database),
    add: (entries, keyOf) =>
      inTransaction(database, (transaction) =>
        addEntries(transaction, new PlaceTree(transaction, root), entries, keyOf),
      ),
    async annotate(id, { label, keepsForever }) {
      await database
        .updateTable('kept')
        .set({ label, keep_forever: keepsForever ? 1 : 0 })
        .where('id', '=', id)
        .where('name_key', 'is not', null)
        .execute();
    },
    inOwnTree: (work) =>
      inBulk(database, async (transaction) => {
        const result = await work(openTrashRepository(transaction, ownRoot));
        await new PlaceTree(transaction).merge(ownRoot, rootPlace);
        await detachMarked(transaction);
        return result;
      }),
    inBulk: (work) => inBulk(database, (transaction) => work(openTrashRepository(transaction, root))),
  };
}
