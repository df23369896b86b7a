import type { OperationKind } from '@filestead/contract/endpoints/operations';
import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type {
  ListedOperation,
  OperationFilter,
  OperationRepository,
  OperationWithStep,
  StoredStep,
} from '../../operation-repository.ts';
import type { OperationRow, Tables } from '../../schema.ts';
import { inPieces, PlaceTree } from '../place-tree.ts';
import { operationOf, stepsOf } from './operation-rows.ts';

/** The maximum length of a chain of operations that undo each other of which the first one is named in lists. */
const maxNamedChain = 50;

/** Returns the query for the ids of the operations that changed an entry, or moved it away. */
async function operationsOf(
  database: Kysely<Tables>,
  { path, keyAt }: NonNullable<OperationFilter['entry']>,
) {
  const tree = new PlaceTree(database);
  const folder = await tree.find(parentOf(path), keyAt(parentOf(path)));
  const itself = await tree.find(path, keyAt(path));
  const name = nameOf(path);
  const steps = database.selectFrom('operation_steps').select('operation');
  // A null is equal to no place.
  return steps
    .where('place', '=', folder)
    .where('name', '=', name)
    .union(steps.where('place', '=', itself).where('name', '=', ''))
    .union(steps.where('from_place', '=', folder).where('from_name', '=', name));
}

/**
 * Finds the operations at the beginning of the chains of operations that undo each other, by the ids at their ends. Chains that are
 * longer than {@link maxNamedChain}, or whose beginning was removed, are left out.
 */
async function findOriginals(
  database: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Selectable<OperationRow>>> {
  const originals = new Map<string, Selectable<OperationRow>>();
  for (const piece of inPieces(ids)) {
    const { rows } = await sql<Selectable<OperationRow> & { readonly end: string }>`
      with recursive chain(end, id, undoes, length) as (
        select id, id, undoes, 0 from operations where id in (${sql.join(piece)})
        union all
        select chain.end, operations.id, operations.undoes, chain.length + 1
          from chain join operations on operations.id = chain.undoes
          where chain.length < ${maxNamedChain}
      )
      select chain.end, operations.* from chain join operations on operations.id = chain.id
        where chain.undoes is null and chain.length > 0`.execute(database);
    for (const row of rows) originals.set(row.end, row);
  }
  return originals;
}

/** Returns operations with their first steps. */
async function withSteps(
  database: Kysely<Tables>,
  rows: readonly Selectable<OperationRow>[],
): Promise<OperationWithStep[]> {
  const firstSteps = new Map<string, StoredStep>();
  for (const piece of inPieces(rows.map(({ id }) => id))) {
    const ids = await database
      .selectFrom('operation_steps')
      .select((select) => select.fn.min<number>('id').as('id'))
      .where('operation', 'in', piece)
      .where('act', '!=', 'parent')
      .groupBy('operation')
      .execute();
    if (ids.length === 0) continue;
    const steps = await database
      .selectFrom('operation_steps')
      .selectAll()
      .where(
        'id',
        'in',
        ids.map(({ id }) => id),
      )
      .execute();
    for (const step of await stepsOf(database, steps)) firstSteps.set(step.operation, step);
  }
  return rows.map((row) => ({ first: firstSteps.get(row.id) ?? null, ...operationOf(row) }));
}

/** Returns operations with their first steps, the kinds of the operations that they undo, and the original operations. */
async function listedOf(
  database: Kysely<Tables>,
  rows: readonly Selectable<OperationRow>[],
): Promise<ListedOperation[]> {
  const kinds = new Map<string, OperationKind>();
  const undone = rows.flatMap(({ undoes }) => (undoes === null ? [] : [undoes]));
  for (const piece of inPieces(undone)) {
    const found = await database
      .selectFrom('operations')
      .select(['id', 'kind'])
      .where('id', 'in', piece)
      .execute();
    for (const { id, kind } of found) kinds.set(id, kind as OperationKind);
  }
  const undos = rows.filter(({ undoes }) => undoes !== null);
  const originals = await findOriginals(
    database,
    undos.map(({ id }) => id),
  );
  const originalRows = new Map([...originals.values()].map((row) => [row.id, row]));
  const operations = await withSteps(database, rows);
  const found = await withSteps(database, [...originalRows.values()]);
  const byId = new Map(found.map((operation) => [operation.id, operation]));
  return operations.map((operation) =>
    Object.assign(operation, {
      undoesKind: operation.undoes === null ? null : (kinds.get(operation.undoes) ?? null),
      original: byId.get(originals.get(operation.id)?.id ?? '') ?? null,
    }),
  );
}

/** The part of the repository that reads operations. */
export type OperationList = Pick<OperationRepository, 'find' | 'list'>;

/** Creates the list of the operations in `database`. */
export function openOperationList(database: Kysely<Tables>): OperationList {
  return {
    async find(id) {
      const row = await database.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : ((await listedOf(database, [row]))[0] ?? null);
    },
    async list({ userId, entry, since, after, limit }) {
      let query = database
        .selectFrom('operations')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (entry !== undefined) query = query.where('id', 'in', await operationsOf(database, entry));
      if (since !== undefined) query = query.where('started_at', '>=', since);
      if (after !== undefined) {
        query = query.where(sql<SqlBool>`(started_at, id) < (${after.startedAt}, ${after.id})`);
      }
      return listedOf(database, await query.execute());
    },
  };
}
