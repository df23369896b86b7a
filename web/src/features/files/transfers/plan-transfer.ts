import { isAtOrBelow, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pathIn, type FileEntry } from '../entries/entry.ts';
import { answerConflicts, type AskConflict, type TransferConflict } from './conflict.ts';
import type { ConflictChoice, ConflictSide } from '../../../ui/conflicts/conflict.ts';

export type TransferKind = 'move' | 'copy';

/** A request to move or copy entries into a folder under their own names. */
export interface TransferRequest {
  readonly kind: TransferKind;
  readonly entries: readonly FileEntry[];
  readonly destination: VirtualPath;
}

/** A single move or copy. With `keep_both` the server chooses a free name. */
export interface TransferStep {
  readonly entry: FileEntry;
  readonly to: VirtualPath;
  readonly mode: 'plain' | 'keep_both' | 'overwrite';
}

export interface TransferPlan {
  readonly steps: readonly TransferStep[];
  /** The number of entries skipped by the user. */
  readonly skipped: number;
  /** The number of entries that are already in the destination (a move into their own folder). */
  readonly alreadyThere: number;
  /** Folders that would have to move into themselves. */
  readonly refused: readonly FileEntry[];
}

interface PlanOptions {
  /** Returns the existing entries in the destination with the given names. */
  readonly findExisting: (
    folder: VirtualPath,
    names: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, ConflictSide>>;
  readonly ask: AskConflict;
  /** Whether the user may overwrite existing entries. */
  readonly canReplace: boolean;
}

/** Whether a folder among `entries` would have to move into itself. */
export const containsDestination = (entries: readonly FileEntry[], destination: VirtualPath): boolean =>
  entries.some((entry) => entry.isFolder && isAtOrBelow(destination, entry.path));

/**
 * Plans what happens to each entry before anything is sent: a move within its own folder is skipped, a copy within it
 * gets a free name, a conflict is asked about. Returns null when the user cancels.
 */
export async function planTransfer(
  { kind, entries, destination }: TransferRequest,
  { findExisting, ask, canReplace }: PlanOptions,
): Promise<TransferPlan | null> {
  const refused = entries.filter((entry) => containsDestination([entry], destination));
  const accepted = entries.filter((entry) => !refused.includes(entry));
  const fromOtherFolders = accepted.filter((entry) => parentOf(entry.path) !== destination);
  const existing =
    fromOtherFolders.length > 0
      ? await findExisting(destination, new Set(fromOtherFolders.map(({ name }) => name)))
      : new Map<string, ConflictSide>();
  const answers = await answerConflicts(
    fromOtherFolders.flatMap((entry) => {
      const existingEntry = existing.get(entry.name);
      return existingEntry ? [conflictBetween(entry, existingEntry, destination, canReplace)] : [];
    }),
    ask,
  );
  if (!answers) return null;

  const steps: TransferStep[] = [];
  let skipped = 0;
  let alreadyThere = 0;
  for (const entry of accepted) {
    const to = pathIn(entry, destination);
    if (to === entry.path) {
      if (kind === 'copy') steps.push({ entry, to, mode: 'keep_both' });
      else alreadyThere += 1;
      continue;
    }
    const choice = answers.get(to);
    if (choice === 'skip') skipped += 1;
    else steps.push({ entry, to, mode: toMode(choice) });
  }
  return { steps, skipped, alreadyThere, refused };
}

/** Creates the conflict to show. Folders are merged and files replaced; a file never replaces a folder. */
export function conflictBetween(
  entry: FileEntry,
  existing: ConflictSide,
  destination: VirtualPath,
  canReplace: boolean,
): TransferConflict {
  const path = pathIn(entry, destination);
  const base = {
    path,
    from: entry.path,
    incoming: {
      isFolder: entry.isFolder,
      size: entry.isFolder ? null : entry.size,
      modifiedMs: entry.modifiedMs,
    },
    existing,
  };
  // An entry cannot overwrite a folder that contains it.
  const containsItself = isAtOrBelow(entry.path, path);
  const isSameKind = entry.isFolder === existing.isFolder;
  if (!canReplace || !isSameKind || containsItself) return { ...base, choices: ['keep_both', 'skip'] };
  return {
    ...base,
    choices: entry.isFolder ? ['merge', 'keep_both', 'skip'] : ['keep_both', 'replace', 'skip'],
  };
}

/** Returns the mode of a transfer after the answer to its conflict; `plain` if there was none. */
export function toMode(choice: ConflictChoice | undefined): TransferStep['mode'] {
  if (choice === 'replace' || choice === 'merge') return 'overwrite';
  return choice === 'keep_both' ? 'keep_both' : 'plain';
}
