import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError } from '../../../api/call.ts';
import type { ManyOutcome } from '../entries/run-many.ts';
import { answerConflicts, type AskConflict, type TransferConflict } from './conflict.ts';
import type { ConflictSide } from '../../../ui/conflicts/conflict.ts';
import { conflictBetween, toMode, type TransferKind, type TransferStep } from './plan-transfer.ts';

export interface TransferOutcome extends ManyOutcome<TransferStep, VirtualPath> {
  /** The number of entries that the user skipped in a later conflict. */
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
    names: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, ConflictSide>>;
  readonly ask: AskConflict;
  readonly canReplace: boolean;
}

/** Describes an entry that the user may not see; only a new name avoids it. */
const hiddenEntry = (isFolder: boolean): ConflictSide => ({
  isFolder: !isFolder,
  size: null,
  modifiedMs: null,
});

/**
 * Performs the steps. Conflicts that arise then (with an entry created meanwhile, or one that this user does not see)
 * are asked about once; when the user cancels, the remaining entries stay as they are.
 */
export async function runTransfer(transfer: Transfer): Promise<TransferOutcome> {
  const { kind, steps, perform } = transfer;
  const first = await perform(kind, steps);
  const isConflict = ({ item, error }: { item: TransferStep; error: unknown }) =>
    item.mode === 'plain' && isApiError(error, 'already_exists');
  const conflicting = first.failed.filter(isConflict).map(({ item }) => item);
  const failed = first.failed.filter((failure) => !isConflict(failure));
  if (conflicting.length === 0) return { ...first, skipped: 0 };

  const answers = await answerConflicts(await toConflicts(conflicting, transfer), transfer.ask);
  if (!answers)
    return { done: first.done, failed, unprocessed: [...first.unprocessed, ...conflicting], skipped: 0 };
  const retried = conflicting
    .filter((step) => answers.get(step.to) !== 'skip')
    .map(({ entry, to }): TransferStep => ({ entry, to, mode: toMode(answers.get(to)) }));
  const second = await perform(kind, retried);
  return {
    done: [...first.done, ...second.done],
    failed: [...failed, ...second.failed],
    unprocessed: [...first.unprocessed, ...second.unprocessed],
    skipped: conflicting.length - retried.length,
  };
}

async function toConflicts(
  conflicting: readonly TransferStep[],
  { findExisting, canReplace }: Transfer,
): Promise<TransferConflict[]> {
  const destination = parentOf(conflicting[0]?.to ?? rootPath);
  const existing = await findExisting(destination, new Set(conflicting.map(({ entry }) => entry.name)));
  return conflicting.map(({ entry }) =>
    conflictBetween(entry, existing.get(entry.name) ?? hiddenEntry(entry.isFolder), destination, canReplace),
  );
}
