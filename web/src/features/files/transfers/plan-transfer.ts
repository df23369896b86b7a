import { isAtOrBelow, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { placedIn, type FileEntry } from '../entries/entry.ts';
import {
  answerConflicts,
  type AskConflict,
  type Conflict,
  type ConflictChoice,
  type ConflictSide,
} from './conflict.ts';

export type TransferKind = 'move' | 'copy';

/** Entries that are to be moved or copied into a folder, keeping their names. */
export interface TransferRequest {
  readonly kind: TransferKind;
  readonly entries: readonly FileEntry[];
  readonly destination: VirtualPath;
}

/** One request to send. `keep_both` lets the server find the free name. */
export interface TransferStep {
  readonly entry: FileEntry;
  readonly to: VirtualPath;
  readonly mode: 'plain' | 'keep_both' | 'overwrite';
}

export interface TransferPlan {
  readonly steps: readonly TransferStep[];
  /** Left out by the user's choice. */
  readonly skipped: number;
  /** Left out because they are there already (a move into their own folder). */
  readonly unmoved: number;
  /** Folders that cannot go into themselves. */
  readonly refused: readonly FileEntry[];
}

interface Questions {
  /** What lies in the destination under the wanted names. */
  readonly findExisting: (
    folder: VirtualPath,
    wanted: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, ConflictSide>>;
  readonly ask: AskConflict;
  /** Whether the user may replace what exists. */
  readonly canReplace: boolean;
}

/** Whether a folder among `entries` would have to go into itself. */
export const goesIntoItself = (entries: readonly FileEntry[], destination: VirtualPath): boolean =>
  entries.some((entry) => entry.isFolder && isAtOrBelow(destination, entry.path));

/**
 * Settles before anything is sent what happens to each entry: a move within its own folder is nothing to do, a copy
 * within it gets a free name, a taken name is asked about. Returns null when the user cancels.
 */
export async function planTransfer(
  { kind, entries, destination }: TransferRequest,
  { findExisting, ask, canReplace }: Questions,
): Promise<TransferPlan | null> {
  const refused = entries.filter((entry) => goesIntoItself([entry], destination));
  const wanted = entries.filter((entry) => !refused.includes(entry));
  const elsewhere = wanted.filter((entry) => parentOf(entry.path) !== destination);
  const existing =
    elsewhere.length > 0
      ? await findExisting(destination, new Set(elsewhere.map(({ name }) => name)))
      : new Map<string, ConflictSide>();
  const answers = await answerConflicts(
    elsewhere.flatMap((entry) => {
      const there = existing.get(entry.name);
      return there ? [conflictBetween(entry, there, destination, canReplace)] : [];
    }),
    ask,
  );
  if (!answers) return null;

  const steps: TransferStep[] = [];
  let skipped = 0;
  let unmoved = 0;
  for (const entry of wanted) {
    const to = placedIn(entry, destination);
    if (to === entry.path) {
      if (kind === 'copy') steps.push({ entry, to, mode: 'keep_both' });
      else unmoved += 1;
      continue;
    }
    const choice = answers.get(to);
    if (choice === 'skip') skipped += 1;
    else steps.push({ entry, to, mode: modeOf(choice) });
  }
  return { steps, skipped, unmoved, refused };
}

/** The conflict as it is shown. Folders are merged, files replaced, and a file never takes a folder's place. */
export function conflictBetween(
  entry: FileEntry,
  existing: ConflictSide,
  destination: VirtualPath,
  canReplace: boolean,
): Conflict {
  const path = placedIn(entry, destination);
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
  // What holds the entry itself cannot be overwritten by it.
  const isOwnAncestor = isAtOrBelow(entry.path, path);
  const isSameKind = entry.isFolder === existing.isFolder;
  if (!canReplace || !isSameKind || isOwnAncestor) return { ...base, choices: ['keep_both', 'skip'] };
  return {
    ...base,
    choices: entry.isFolder ? ['merge', 'keep_both', 'skip'] : ['keep_both', 'replace', 'skip'],
  };
}

export function modeOf(choice: ConflictChoice | undefined): TransferStep['mode'] {
  if (choice === 'replace' || choice === 'merge') return 'overwrite';
  return choice === 'keep_both' ? 'keep_both' : 'plain';
}
