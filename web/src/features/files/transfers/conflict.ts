import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ConflictChoice, ConflictSide } from '../../../ui/conflicts/conflict.ts';

/** An entry that is copied or moved, and the existing entry at its destination. */
export interface TransferConflict {
  /** The path of both. */
  readonly path: VirtualPath;
  /** The current path of the incoming entry, if known. */
  readonly from?: VirtualPath | undefined;
  /** Whether the user may see the content of files, so that images are shown. */
  readonly hasPictures?: boolean | undefined;
  readonly incoming: ConflictSide;
  readonly existing: ConflictSide;
  /** The offered choices, the suggested one first. */
  readonly choices: readonly Exclude<ConflictChoice, 'cancel'>[];
}

export interface ConflictReply {
  readonly choice: ConflictChoice;
  /** Whether it applies to further conflicts of this action that offer the choice. */
  readonly forRemaining: boolean;
}

/** Asks the user about one conflict; `remaining` further ones follow. */
export type AskConflict = (conflict: TransferConflict, remaining: number) => Promise<ConflictReply>;

/**
 * Resolves conflicts one after another, by the user or by a reply that was given for the remaining ones. Returns null
 * when the user cancels.
 */
export async function answerConflicts(
  conflicts: readonly TransferConflict[],
  ask: AskConflict,
): Promise<Map<VirtualPath, ConflictChoice> | null> {
  const answers = new Map<VirtualPath, ConflictChoice>();
  const repliesForRemaining: Exclude<ConflictChoice, 'cancel'>[] = [];
  for (const [index, conflict] of conflicts.entries()) {
    const defaultReply = repliesForRemaining.find((choice) => conflict.choices.includes(choice));
    if (defaultReply) {
      answers.set(conflict.path, defaultReply);
      continue;
    }
    const { choice, forRemaining } = await ask(conflict, conflicts.length - index - 1);
    if (choice === 'cancel') return null;
    answers.set(conflict.path, choice);
    if (forRemaining) repliesForRemaining.push(choice);
  }
  return answers;
}
