import type { OperationKind } from '@filestead/contract/endpoints/operations';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type {
  LeftState,
  ListedOperation,
  NewStep,
  OperationFilter,
  OperationPart,
  OperationRepository,
  OperationWithStep,
  ShareChange,
  StepAct,
  StoredOperation,
  StoredStep,
} from '../operation-repository.ts';
import { isCounted } from '../operation-repository.ts';
import type { OperationRow, OperationStepRow, Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { NameKey } from '../trash-repository.ts';
import { insertRows } from './kept/insert-rows.ts';
import { rowsOf } from './kept/json-rows.ts';
import { below, inPieces, PlaceTree } from './place-tree.ts';

/** The maximum length of a chain of steps that undo each other. */
const maxChain = 1_000;
/** The maximum length of a chain of operations that undo each other of which the first one is named in lists. */
const maxNamedChain = 50;

const operationOf = (row: Selectable<OperationRow>): StoredOperation => ({
  id: row.id,
  userId: row.user_id,
  session: row.session,
  // The column contains no other values.
  kind: row.kind as OperationKind,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  total: row.total,
  undoes: row.undoes,
  undoneBy: row.undone_by,
  versionAt: row.version_at,
});

const leftOf = (row: Selectable<OperationStepRow>): LeftState | null =>
  row.kind === null
    ? null
    : {
        kind: row.kind as LeftState['kind'],
        inode: row.inode,
        size: row.size ?? 0,
        modifiedNs: row.modified_ns ?? '0',
        changedNs: row.changed_ns,
      };

/** Adds the current paths to rows. */
async function withPaths(
  database: Kysely<Tables>,
  rows: readonly Selectable<OperationStepRow>[],
): Promise<StoredStep[]> {
  const ids = rows.flatMap(({ place, from_place }) => (from_place === null ? [place] : [place, from_place]));
  const paths = await new PlaceTree(database).pathsOf(ids);
  const pathOf = (place: number, name: string): VirtualPath => {
    const folder = paths.get(place);
    if (folder === undefined) throw new Error('the place of a step is unknown');
    return name === '' ? folder.path : below(folder.path, name);
  };
  return rows.map((row) => ({
    id: row.id,
    operation: row.operation,
    act: row.act as StepAct,
    path: pathOf(row.place, row.name),
    from: row.from_place === null ? null : pathOf(row.from_place, row.from_name ?? ''),
    keptId: row.kept_id,
    left: leftOf(row),
    undoes: row.undoes,
    share: row.share === null ? null : (JSON.parse(row.share) as ShareChange),
    isUndone: row.is_undone === 1,
  }));
}

/** Finds the ids of the places of paths, and caches them. */
class KnownPlaces {
  readonly #tree: PlaceTree;
  readonly #keyAt: (path: VirtualPath) => NameKey;
  readonly #known = new Map<VirtualPath, number>();

  constructor(tree: PlaceTree, keyAt: (path: VirtualPath) => NameKey) {
    this.#tree = tree;
    this.#keyAt = keyAt;
  }

  async of(path: VirtualPath): Promise<number> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const place = await this.#tree.ensure(path, this.#keyAt(path));
    this.#known.set(path, place);
    return place;
  }
}

/** Returns the values of a step in the order of {@link stepColumns}. */
async function stepValues(
  operation: string,
  { act, path, from, keptId, left, undoes, share }: NewStep,
  places: KnownPlaces,
): Promise<unknown[]> {
  // The place of a folder is the folder itself, so that it follows its renames.
  const isPlace = left?.kind === 'folder';
  return [
    operation,
    act,
    await places.of(isPlace ? path : parentOf(path)),
    isPlace ? '' : nameOf(path),
    from === null ? null : await places.of(parentOf(from)),
    from === null ? null : nameOf(from),
    keptId,
    left?.kind ?? null,
    left?.inode ?? null,
    left?.size ?? null,
    left?.modifiedNs ?? null,
    left?.changedNs ?? null,
    undoes,
    share == null ? null : JSON.stringify(share),
  ];
}

const operationColumns: readonly (keyof OperationRow)[] = [
  'id',
  'user_id',
  'session',
  'kind',
  'started_at',
  'ended_at',
  'total',
  'undoes',
  'version_at',
];
const stepColumns: readonly (keyof OperationStepRow)[] = [
  'operation',
  'act',
  'place',
  'name',
  'from_place',
  'from_name',
  'kept_id',
  'kind',
  'inode',
  'size',
  'modified_ns',
  'changed_ns',
  'undoes',
  'share',
];

/** Adds operations and steps in the order of `parts`. */
async function appendParts(
  transaction: Kysely<Tables>,
  parts: readonly OperationPart[],
  places: KnownPlaces,
): Promise<void> {
  const operations: unknown[][] = [];
  const steps: unknown[][] = [];
  for (const { operation, steps: added, unstored } of parts) {
    const { id, userId, session, kind, startedAt, endedAt, undoes, versionAt } = operation;
    const total = added.filter(isCounted).length + unstored;
    operations.push([id, userId, session, kind, startedAt, endedAt, total, undoes, versionAt]);
    for (const step of added) steps.push(await stepValues(id, step, places));
  }
  await sql`insert into operations ${rowsOf(operationColumns, operations)}
    on conflict (id) do update set ended_at = excluded.ended_at, total = total + excluded.total`.execute(
    transaction,
  );
  await insertRows(transaction, 'operation_steps', stepColumns, steps);
}

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

/** Creates the repository of operations in `database`. */
export function openOperationRepository(database: Kysely<Tables>): OperationRepository {
  /** Adds the first steps. */
  const withSteps = async (rows: readonly Selectable<OperationRow>[]): Promise<OperationWithStep[]> => {
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
      for (const step of await withPaths(database, steps)) firstSteps.set(step.operation, step);
    }
    return rows.map((row) => ({ first: firstSteps.get(row.id) ?? null, ...operationOf(row) }));
  };
  /** Adds the first steps, the kinds of the undone operations, and the original ones. */
  const listed = async (rows: readonly Selectable<OperationRow>[]): Promise<ListedOperation[]> => {
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
    const [operations, found] = [await withSteps(rows), await withSteps([...originalRows.values()])];
    const byId = new Map(found.map((operation) => [operation.id, operation]));
    return operations.map((operation) =>
      Object.assign(operation, {
        undoesKind: operation.undoes === null ? null : (kinds.get(operation.undoes) ?? null),
        original: byId.get(originals.get(operation.id)?.id ?? '') ?? null,
      }),
    );
  };

  return {
    append: (parts, keyAt) =>
      inTransaction(database, async (transaction) => {
        const places = new KnownPlaces(new PlaceTree(transaction), keyAt);
        await appendParts(transaction, parts, places);
      }),
    async find(id) {
      const row = await database.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : ((await listed([row]))[0] ?? null);
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
      return listed(await query.execute());
    },
    async steps(operation, { before, limit }) {
      let query = database
        .selectFrom('operation_steps')
        .selectAll()
        .where('operation', '=', operation)
        .orderBy('id', 'desc')
        .limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return withPaths(database, await query.execute());
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
      return (await withPaths(database, rows))[0] ?? null;
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
    async markUndone(step) {
      await database.updateTable('operation_steps').set({ is_undone: 1 }).where('id', '=', step).execute();
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
