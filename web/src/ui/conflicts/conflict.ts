import { formatSize } from '../../i18n/format.ts';

/**
 * The choices in a conflict. `merge` is for two folders, `replace` for two files; `cancel` drops everything that has not
 * been sent yet.
 */
export type ConflictChoice = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

/** The metadata of one side of a conflict. */
export interface ConflictSide {
  readonly isFolder: boolean;
  /** Size in bytes; null if unknown. */
  readonly size: number | null;
  /** Modification time in Unix milliseconds; null if unknown, as for folders on the user's machine. */
  readonly modifiedMs: number | null;
}

/** Returns the side that was modified last, or null if both are equally old or a time is unknown. */
export function newerSide({
  incoming,
  existing,
}: {
  readonly incoming: ConflictSide;
  readonly existing: ConflictSide;
}): 'incoming' | 'existing' | null {
  if (incoming.modifiedMs === null || existing.modifiedMs === null) return null;
  // Servers and file systems store times at least to the second.
  if (Math.abs(incoming.modifiedMs - existing.modifiedMs) < 1000) return null;
  return incoming.modifiedMs > existing.modifiedMs ? 'incoming' : 'existing';
}

/**
 * Returns the choices with the suggested one first: to replace if the incoming file is newer and the existing one is kept
 * as an earlier version, otherwise as given.
 */
export function suggestedFirst<Choice extends ConflictChoice>(
  choices: readonly Choice[],
  conflict: { readonly incoming: ConflictSide; readonly existing: ConflictSide },
  { isKept }: { isKept: boolean },
): readonly Choice[] {
  if (!isKept || newerSide(conflict) !== 'incoming') return choices;
  const isReplace = (choice: Choice): boolean => choice === 'replace';
  return [...choices.filter(isReplace), ...choices.filter((choice) => !isReplace(choice))];
}

/** Returns the size of a side, and for the incoming side by how much it differs, as `+7 KB`. */
export function sizeLine(
  { incoming, existing }: { readonly incoming: ConflictSide; readonly existing: ConflictSide },
  role: 'incoming' | 'existing',
): { readonly text: string; readonly note?: string } | null {
  const { size } = role === 'incoming' ? incoming : existing;
  if (size === null) return null;
  const difference = existing.size === null || role === 'existing' ? 0 : size - existing.size;
  const sign = difference > 0 ? '+' : '−';
  return {
    text: formatSize(size),
    ...(difference !== 0 && { note: `${sign}${formatSize(Math.abs(difference))}` }),
  };
}
