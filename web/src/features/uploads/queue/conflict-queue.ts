import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** `merge` is for two folders, `replace` for two files; `cancel` drops what has not been sent yet. */
export type ConflictAnswer = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

/** What a question offers; it is cancelled by being closed. */
type ConflictChoice = Exclude<ConflictAnswer, 'cancel'>;

/** What is known of one side of a conflict. */
export interface ConflictSide {
  readonly isFolder: boolean;
  /** Bytes; 0 for folders. */
  readonly size: number;
  /** Unix milliseconds, or null when it is not known (folders on the user's machine). */
  readonly modifiedMs: number | null;
}

/** Two entries that want the same name in one folder. */
export interface Conflict {
  /** Where both want to be. */
  readonly path: VirtualPath;
  readonly incoming: ConflictSide;
  /** The incoming file, for a thumbnail; absent for folders. */
  readonly file?: File;
  readonly existing: ConflictSide;
}

/** The uploads that were asked for in one go. Answers given "for the remaining" ones hold within it. */
export interface ConflictScope {
  readonly canReplace: boolean;
  readonly standing: Map<string, ConflictAnswer>;
}

/** Opens a scope. Without `canReplace` (no permission to modify) replacing is not offered. */
export const conflictScope = (canReplace: boolean): ConflictScope => ({ canReplace, standing: new Map() });

/** The answers that make sense for `conflict`, the suggested one first. `cancel` is always possible. */
export function answersFor(conflict: Conflict, canReplace: boolean): ConflictChoice[] {
  const { incoming, existing } = conflict;
  if (incoming.isFolder && existing.isFolder) return ['merge', 'keep_both', 'skip'];
  const isReplaceable = canReplace && !incoming.isFolder && !existing.isFolder;
  return isReplaceable ? ['keep_both', 'replace', 'skip'] : ['keep_both', 'skip'];
}

interface Question {
  readonly conflict: Conflict;
  readonly scope: ConflictScope;
  readonly answers: readonly ConflictChoice[];
  readonly resolve: (answer: ConflictAnswer) => void;
}

/** The question to show now. */
export interface OpenQuestion {
  readonly conflict: Conflict;
  readonly answers: readonly ConflictChoice[];
  /** Further questions that the same answer could settle. */
  readonly remaining: number;
}

const kindOf = (question: Question): string => question.answers.join();

/** Holds the questions about name conflicts, one dialog at a time, in the order in which they came up. */
export class ConflictQueue {
  #questions: Question[] = [];
  readonly #listeners = new Set<() => void>();
  #open: OpenQuestion | null = null;

  /** The question to show, or null. The same object until something changes. */
  readonly getSnapshot = (): OpenQuestion | null => this.#open;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the user has answered, or at once when an answer for the remaining ones covers it. */
  ask(conflict: Conflict, scope: ConflictScope): Promise<ConflictAnswer> {
    const answers = answersFor(conflict, scope.canReplace);
    const standing = scope.standing.get('cancel') ?? scope.standing.get(answers.join());
    if (standing) return Promise.resolve(standing);
    return new Promise((resolve) => {
      this.#questions.push({ conflict, scope, answers, resolve });
      this.#update();
    });
  }

  /** Answers the open question; with `forRemaining` also those of its scope that offer the same choices. */
  answer(answer: ConflictAnswer, forRemaining: boolean): void {
    const first = this.#questions[0];
    if (!first) return;
    const isCancel = answer === 'cancel';
    if (isCancel) first.scope.standing.set('cancel', 'cancel');
    else if (forRemaining) first.scope.standing.set(kindOf(first), answer);
    this.#settle((question) => {
      if (question === first) return true;
      if (question.scope !== first.scope) return false;
      return isCancel || (forRemaining && kindOf(question) === kindOf(first));
    }, answer);
  }

  /** Drops the questions of `scope` and answers those that follow with `cancel`. */
  cancelScope(scope: ConflictScope): void {
    scope.standing.set('cancel', 'cancel');
    this.#settle((question) => question.scope === scope, 'cancel');
  }

  /** Answers the questions that `isMeant` names with `cancel`, for this once. */
  drop(isMeant: (conflict: Conflict) => boolean): void {
    this.#settle((question) => isMeant(question.conflict), 'cancel');
  }

  #settle(isMeant: (question: Question) => boolean, answer: ConflictAnswer): void {
    const settled = this.#questions.filter(isMeant);
    if (settled.length === 0) return;
    this.#questions = this.#questions.filter((question) => !isMeant(question));
    for (const question of settled) question.resolve(answer);
    this.#update();
  }

  #update(): void {
    const first = this.#questions[0];
    this.#open = first
      ? {
          conflict: first.conflict,
          answers: first.answers,
          remaining: this.#questions.filter(
            (other) => other !== first && other.scope === first.scope && kindOf(other) === kindOf(first),
          ).length,
        }
      : null;
    for (const listener of this.#listeners) listener();
  }
}
