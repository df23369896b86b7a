import { type Kysely, sql } from 'kysely';
import type { OperationRepository } from '../operation-repository.ts';
import type { Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import { appendParts } from './operations/append-parts.ts';
import { openOperationList } from './operations/operation-list.ts';
import { openOperationSteps } from './operations/operation-steps.ts';
import { inPieces } from './place-tree.ts';

/** Creates the repository of operations in `database`. */
export function openOperationRepository(database: Kysely<Tables>): OperationRepository {
  return {
    ...openOperationList(database),
    ...openOperationSteps(database),
    append: (parts, keyAt) =>
      inTransaction(database, (transaction) => appendParts(transaction, parts, keyAt)),
    async claim(id, undoneBy) {
      const { numUpdatedRows } = await database
        .updateTable('operations')
        .set({ undone_by: undoneBy })
        .where('id', '=', id)
        .where('undone_by', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async release(undoneBy) {
      await database
        .updateTable('operations')
        .set({ undone_by: null })
        .where('undone_by', '=', undoneBy)
        .where((where) =>
          where.not(
            where.exists(where.selectFrom('operations as by').select('by.id').where('by.id', '=', undoneBy)),
          ),
        )
        .execute();
    },
    endInterrupted: () =>
      inTransaction(database, async (transaction) => {
        await transaction
          .updateTable('operations')
          .set({ ended_at: sql<number>`started_at` })
          .where('ended_at', 'is', null)
          .execute();
        await transaction
          .updateTable('operations')
          .set({ undone_by: null })
          .where('undone_by', 'is not', null)
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('operations as by')
                  .select('by.id')
                  .whereRef('by.id', '=', 'operations.undone_by'),
              ),
            ),
          )
          .execute();
      }),
    removeBefore: (before, limit) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('operations')
          .select('id')
          .where('started_at', '<', before)
          .orderBy('started_at')
          .limit(limit)
          .execute();
        for (const piece of inPieces(rows.map(({ id }) => id))) {
          await transaction.deleteFrom('operation_steps').where('operation', 'in', piece).execute();
          await transaction.deleteFrom('operations').where('id', 'in', piece).execute();
        }
        return rows.length;
      }),
  };
}
