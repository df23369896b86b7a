import type { OperationKind } from '@filestead/contract/endpoints/operations';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Kysely, Selectable } from 'kysely';
import type {
  LeftState,
  ShareChange,
  StepAct,
  StoredOperation,
  StoredStep,
} from '../../operation-repository.ts';
import type { OperationRow, OperationStepRow, Tables } from '../../schema.ts';
import { below, PlaceTree } from '../place-tree.ts';

/** Returns the operation that a row stores. */
export const operationOf = (row: Selectable<OperationRow>): StoredOperation => ({
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

/** Returns the state in which a step has left its entry; null if the entry does not exist afterwards. */
export const leftOf = (row: Selectable<OperationStepRow>): LeftState | null =>
  row.kind === null
    ? null
    : {
        kind: row.kind as LeftState['kind'],
        inode: row.inode,
        size: row.size ?? 0,
        modifiedNs: row.modified_ns ?? '0',
        changedNs: row.changed_ns,
      };

/** Returns rows as steps, with the current paths of their entries. */
export async function stepsOf(
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
