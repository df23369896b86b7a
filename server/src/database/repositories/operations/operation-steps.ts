import type { Kysely } from 'kysely';
import type { OperationRepository } from '../../operation-repository.ts';
import type { Tables } from '../../schema.ts';
import { PlaceTree } from '../place-tree.ts';
import { leftOf, stepsOf } from './operation-rows.ts';

/** The maximum length of a chain of steps that undo each other. */
const maxChain = 1_000;

/** The part of the repository that reads and marks steps. */
export type OperationSteps = Pick<
  OperationRepository,
  'steps' | 'loggedKept' | 'step' | 'foldersForRestored' | 'isOddSince' | 'markUndone'
>;

/** Creates the steps of the operations in `database`. */
export function openOperationSteps(database: Kysely<Tables>): OperationSteps {
  return {
    async steps(operation, { before, limit }) {
      let query = database
        .selectFrom('operation_steps')
        .selectAll()
        .where('operation', '=', operation)
        .orderBy('id', 'desc')
        .limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return stepsOf(database, await query.execute());
    },
    async loggedKept(operation) {
      const rows = await database
        .selectFrom('operation_steps')
        .select('kept_id')
        .where('operation', '=', operation)
        .where('kept_id', 'is not', null)
        .execute();
      return new Set(rows.flatMap(({ kept_id }) => kept_id ?? []));
    },
    async step(id) {
      const rows = await database.selectFrom('operation_steps').selectAll().where('id', '=', id).execute();
      return (await stepsOf(database, rows))[0] ?? null;
    },
    async foldersForRestored(path, keyOf) {
      const place = await new PlaceTree(database).find(path, keyOf);
      if (place === null) return [];
      const rows = await database
        .selectFrom('operation_steps')
        .innerJoin('operations', 'operations.id', 'operation_steps.operation')
        .selectAll('operation_steps')
        .where('place', '=', place)
        .where('name', '=', '')
        .where('act', '=', 'parent')
        .where('operations.kind', 'in', ['restore', 'undo', 'rewind'])
        .execute();
      return rows.flatMap((row) => leftOf(row) ?? []);
    },
    async isOddSince(id, since) {
      let length = 0;
      for (let next: number | null = id; next !== null && length < maxChain; length++) {
        const row: { undoes: number | null } | undefined = await database
          .selectFrom('operation_steps')
          .innerJoin('operations', 'operations.id', 'operation_steps.operation')
          .select('operation_steps.undoes')
          .where('operation_steps.id', '=', next)
          .where('operations.started_at', '>=', since)
          .executeTakeFirst();
        if (row === undefined) break;
        next = row.undoes;
      }
      return length % 2 === 1;
    },
    async markUndone(step) {
      await database.updateTable('operation_steps').set({ is_undone: 1 }).where('id', '=', step).execute();
    },
  };
}
