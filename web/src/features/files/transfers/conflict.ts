import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** What the user may choose when a name is taken. `cancel` stops the whole action before anything is sent. */
export type ConflictChoice = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

/** What is known of one side of a conflict. */
export interface ConflictSide {
  readonly isFolder: boolean;
  /** Bytes; null when not known. */
  readonly size: number | null;
  /** Unix milliseconds; null when not known. */
  readonly modifiedMs: number | null;
}

/** Two entries that want the same name in one folder. */
export interface Conflict {
  /** Where both want to be. */
  readonly path: VirtualPath;
  /** Where the incoming one lies now; when it is known. */
  readonly from?: VirtualPath | undefined;
  /** The user may see what is in the files, so that images show themselves. */
  readonly hasPictures?: boolean | undefined;
  readonly incoming: ConflictSide;
  readonly existing: ConflictSide;
  /** The choices that make sense, the suggested one first. */
  readonly choices: readonly Exclude<ConflictChoice, 'cancel'>[];
}

export interface ConflictReply {
  readonly choice: ConflictChoice;
  /** Holds for the further conflicts of this action that offer the choice. */
  readonly forRemaining: boolean;
}

/** Shows one conflict; `remaining` further ones wait. */
export type AskConflict = (conflict: Conflict, remaining: number) => Promise<ConflictReply>;

/**
 * Has the conflicts answered one after another, each by the user or by an answer that was given for the remaining ones.
 * Returns null when the user cancels.
 */
export async function answerConflicts(
  conflicts: readonly Conflict[],
  ask: AskConflict,
): Promise<Map<VirtualPath, ConflictChoice> | null> {
  const answers = new Map<VirtualPath, ConflictChoice>();
  const standing: Exclude<ConflictChoice, 'cancel'>[] = [];
  for (const [index, conflict] of conflicts.entries()) {
    const settled = standing.find((choice) => conflict.choices.includes(choice));
    if (settled) {
      answers.set(conflict.path, settled);
      continue;
    }
    const { choice, forRemaining } = await ask(conflict, conflicts.length - index - 1);
    if (choice === 'cancel') return null;
    answers.set(conflict.path, choice);
    if (forRemaining) standing.push(choice);
  }
  return answers;
}
