import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';
import { withPlaces, selectVisible } from './kept-rows.ts';

/** The part of the repository that measures the entries: their number, sizes and ages. */
export type KeptTotals = Pick<
  TrashRepository,
  'bytesByStore' | 'summary' | 'expired' | 'setSize' | 'unmeasured'
>;

/** Creates the totals of the entries in `database`. */
export function openKeptTotals(database: Kysely<Tables>): KeptTotals {
  return {
    async bytesByStore() {
      const rows = await database
        .selectFrom('kept')
        .select((select) => ['store', select.fn.sum<number | null>('size').as('bytes')])
        .groupBy('store')
        .execute();
      return new Map(rows.map(({ store, bytes }) => [store as VirtualPath, Number(bytes ?? 0)]));
    },
    async summary(before) {
      const row = await selectVisible(database, {})
        .select((select) => [
          select.fn.countAll<number>().as('entries'),
          select.fn.min<number | null>('kept_at').as('oldest'),
          select.fn.sum<number | null>('size').as('bytes'),
          sql<number | null>`sum(case when kept_at < ${before} then 1 else 0 end)`.as('expired'),
        ])
        .executeTakeFirstOrThrow();
      return {
        entries: Number(row.entries),
        expired: Number(row.expired ?? 0),
        bytes: Number(row.bytes ?? 0),
        oldest: row.oldest,
      };
    },
    async expired(before, limit) {
      const rows = await selectVisible(database, {})
        .select('id')
        .where('kept_at', '<', before)
        .orderBy('kept_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async setSize(id, bytes) {
      await database.updateTable('kept').set({ size: bytes }).where('id', '=', id).execute();
    },
    async unmeasured(limit) {
      const rows = await selectVisible(database, {})
        .selectAll()
        // Not a parameter, with which SQLite does not use the index of these folders.
        .where('kind', '=', sql.lit('folder'))
        .where('size', 'is', null)
        .orderBy('kept_at', 'desc')
        .limit(limit)
        .execute();
      return withPlaces(database, rows);
    },
  };
}
