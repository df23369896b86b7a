import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError } from '../../../api/call.ts';
import type { ManyOutcome } from '../entries/run-many.ts';
import { answerConflicts, type AskConflict, type Conflict, type ConflictSide } from './conflict.ts';
import { conflictBetween, modeOf, type TransferKind, type TransferStep } from './plan-transfer.ts';

export interface TransferOutcome extends ManyOutcome<TransferStep, VirtualPath> {
  /** Left out by the user's choice when a name turned out to be taken. */
  readonly skipped: number;
}

interface Transfer {
  readonly kind: TransferKind;
  readonly steps: readonly TransferStep[];
  readonly perform: (
    kind: TransferKind,
    steps: readonly TransferStep[],
  ) => Promise<ManyOutcome<TransferStep, VirtualPath>>;
  readonly findExisting: (
    folder: VirtualPath,
    wanted: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, ConflictSide>>;
  readonly ask: AskConflict;
  readonly canReplace: boolean;
}

/** Nothing is known of an entry that the user may not see; only a new name helps against it. */
const hidden = (isFolder: boolean): ConflictSide => ({ isFolder: !isFolder, size: null, modifiedMs: null });

/**
 * Performs the steps. Names that turn out to be taken after all (by somebody else meanwhile, or by what this user does
 * not see) are asked about once; cancelling there leaves the rest as it is.
 */
export async function runTransfer(transfer: Transfer): Promise<TransferOutcome> {
  const { kind, steps, perform } = transfer;
  const first = await perform(kind, steps);
  const isCollision = ({ item, error }: { item: TransferStep; error: unknown }) =>
    item.mode === 'plain' && isApiError(error, 'already_exists');
  const collisions = first.failed.filter(isCollision).map(({ item }) => item);
  const failed = first.failed.filter((failure) => !isCollision(failure));
  if (collisions.length === 0) return { ...first, skipped: 0 };

  const answers = await answerConflicts(await conflictsOf(collisions, transfer), transfer.ask);
  if (!answers) return { done: first.done, failed, left: [...first.left, ...collisions], skipped: 0 };
  const again = collisions
    .filter((step) => answers.get(step.to) !== 'skip')
    .map(({ entry, to }): TransferStep => ({ entry, to, mode: modeOf(answers.get(to)) }));
  const second = await perform(kind, again);
  return {
    done: [...first.done, ...second.done],
    failed: [...failed, ...second.failed],
    left: [...first.left, ...second.left],
    skipped: collisions.length - again.length,
  };
}

async function conflictsOf(
  collisions: readonly TransferStep[],
  { findExisting, canReplace }: Transfer,
): Promise<Conflict[]> {
  const destination = parentOf(collisions[0]?.to ?? rootPath);
  const existing = await findExisting(destination, new Set(collisions.map(({ entry }) => entry.name)));
  return collisions.map(({ entry }) =>
    conflictBetween(entry, existing.get(entry.name) ?? hidden(entry.isFolder), destination, canReplace),
  );
}
