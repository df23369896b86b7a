import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import { isCounted, type NewStep, type OperationPart } from '../../operation-repository.ts';
import type { OperationRow, OperationStepRow, Tables } from '../../schema.ts';
import type { NameKey } from '../../trash-repository.ts';
import { insertRows } from '../kept/insert-rows.ts';
import { rowsOf } from '../kept/json-rows.ts';
import { PlaceTree } from '../place-tree.ts';

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

/** Adds operations and steps in the order of `parts`. `keyAt` compares names at a path. */
export async function appendParts(
  transaction: Kysely<Tables>,
  parts: readonly OperationPart[],
  keyAt: (path: VirtualPath) => NameKey,
): Promise<void> {
  const places = new KnownPlaces(new PlaceTree(transaction), keyAt);
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
