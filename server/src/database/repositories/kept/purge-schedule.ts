import { type Kysely, sql, type SqlBool } from 'kysely';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';
import { withPlaces } from './kept-rows.ts';
import { inPieces } from '../place-tree.ts';
import { updateDependents } from '../versioned-files.ts';

/** The part of the repository that schedules the removal of entries, which are hidden until then. */
export type PurgeSchedule = Pick<TrashRepository, 'hide' | 'unhide' | 'due' | 'nextDue' | 'postpone'>;

/** Creates the purge schedule of the entries in `database`. */
export function openPurgeSchedule(database: Kysely<Tables>): PurgeSchedule {
  return {
    hide: (ids, purgeAt, userId) =>
      inTransaction(database, async (transaction) => {
        const hidden: string[] = [];
        for (const piece of inPieces(ids)) {
          const rows = await transaction
            .updateTable('kept')
            .set({ purge_at: purgeAt, purged_by: userId })
            .where('id', 'in', piece)
            .where('purge_at', 'is', null)
            .returning('id')
            .execute();
          hidden.push(...rows.map(({ id }) => id));
          const change = { purge_at: purgeAt, purged_by: userId };
          await updateDependents(transaction, piece, change, sql<SqlBool>`purge_at is null`);
        }
        return hidden;
      }),
    unhide: (ids, userId, now) =>
      inTransaction(database, async (transaction) => {
        const shown: string[] = [];
        for (const piece of inPieces(ids)) {
          const rows = await transaction
            .updateTable('kept')
            .set({ purge_at: null, purged_by: null })
            .where('id', 'in', piece)
            .where('purged_by', '=', userId)
            .where('purge_at', '>', now)
            .returning('id')
            .execute();
          shown.push(...rows.map(({ id }) => id));
          await updateDependents(
            transaction,
            rows.map(({ id }) => id),
            { purge_at: null, purged_by: null },
            sql<SqlBool>`purged_by = ${userId} and purge_at > ${now}`,
          );
        }
        return shown;
      }),
    async due(now, limit) {
      const rows = await database
        .selectFrom('kept')
        .selectAll()
        .where('purge_at', '<=', now)
        .orderBy('purge_at')
        .limit(limit)
        .execute();
      return withPlaces(database, rows);
    },
    async nextDue() {
      const { next } = await database
        .selectFrom('kept')
        .select((select) => select.fn.min<number | null>('purge_at').as('next'))
        .executeTakeFirstOrThrow();
      return next;
    },
    async postpone(ids, purgeAt) {
      for (const piece of inPieces(ids)) {
        await database
          .updateTable('kept')
          .set({ purge_at: purgeAt })
          .where('id', 'in', piece)
          .where('purge_at', 'is not', null)
          .execute();
      }
    },
  };
}
