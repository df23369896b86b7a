import { isAtOrBelow, joinPaths, relativeTo, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Kysely } from 'kysely';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';

/** The part of the repository that remembers how far the ledger of each store has been read. */
export type LedgerPositions = Pick<
  TrashRepository,
  'lastMove' | 'ledgerPosition' | 'setLedgerPosition' | 'moveStores'
>;

/** Creates the positions of the ledgers in `database`. */
export function openLedgerPositions(database: Kysely<Tables>): LedgerPositions {
  return {
    async lastMove(store) {
      let query = database
        .selectFrom('ledgers')
        .select((select) => select.fn.max<number | null>('move_number').as('last'));
      if (store !== undefined) query = query.where('store', '=', store);
      return (await query.executeTakeFirstOrThrow()).last ?? 0;
    },
    async ledgerPosition(store) {
      const row = await database
        .selectFrom('ledgers')
        .select('position')
        .where('store', '=', store)
        .executeTakeFirst();
      return row === undefined || row.position === '' ? undefined : row.position;
    },
    async setLedgerPosition(store, position, lastMove) {
      await database
        .insertInto('ledgers')
        .values({ store, position, move_number: lastMove })
        .onConflict((conflict) => conflict.column('store').doUpdateSet({ position, move_number: lastMove }))
        .execute();
    },
    moveStores: (from, to) =>
      inTransaction(database, async (transaction) => {
        const known = await transaction.selectFrom('ledgers').select('store').execute();
        for (const store of new Set([from, ...known.map((row) => row.store as VirtualPath)])) {
          if (!isAtOrBelow(store, from)) continue;
          const moved = joinPaths(to, relativeTo(store, from));
          await transaction.updateTable('kept').set({ store: moved }).where('store', '=', store).execute();
          await transaction.deleteFrom('ledgers').where('store', '=', moved).execute();
          await transaction.updateTable('ledgers').set({ store: moved }).where('store', '=', store).execute();
        }
      }),
  };
}
