import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/**
 * The answers to a conflict. `merge` is for two folders, `replace` for two files; `cancel` drops everything that has
 * not been sent yet.
 */
export type ConflictAnswer = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

/** The answers that a prompt offers; closing it cancels. */
type ConflictChoice = Exclude<ConflictAnswer, 'cancel'>;

/** The metadata of one side of a conflict. */
export interface ConflictSide {
  readonly isFolder: boolean;
  /** In bytes; 0 for folders. */
  readonly size: number;
  /** In Unix milliseconds, or null if it is not known (folders on the user's machine). */
  readonly modifiedMs: number | null;
}

/** Two entries with the same name in one folder. */
export interface Conflict {
  /** The common path. */
  readonly path: VirtualPath;
  readonly incoming: ConflictSide;
  /** The incoming file, for a thumbnail; absent for folders. */
  readonly file?: File;
  readonly existing: ConflictSide;
}

/** Uploads that were added together. Answers "for the remaining" ones apply within it. */
export interface ConflictScope {
  readonly canReplace: boolean;
  readonly standing: Map<string, ConflictAnswer>;
}

/** Creates a scope. Without `canReplace` (no permission to modify) replacing is not offered. */
export const conflictScope = (canReplace: boolean): ConflictScope => ({ canReplace, standing: new Map() });

/** Returns the possible answers to `conflict`, the suggested one first. `cancel` is always possible. */
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

/** The prompt to show. */
export interface OpenQuestion {
  readonly conflict: Conflict;
  readonly answers: readonly ConflictChoice[];
  /** The number of further prompts that the same answer could settle. */
  readonly remaining: number;
}

const kindOf = (question: Question): string => question.answers.join();

/** Queues the prompts about name conflicts, one dialog at a time, in the order in which they arose. */
export class ConflictQueue {
  #questions: Question[] = [];
  readonly #listeners = new Set<() => void>();
  #open: OpenQuestion | null = null;

  /** Returns the prompt to show, or null. The same object until something changes. */
  readonly getSnapshot = (): OpenQuestion | null => this.#open;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the user has answered, or at once if an answer for the remaining ones applies. */
  ask(conflict: Conflict, scope: ConflictScope): Promise<ConflictAnswer> {
    const answers = answersFor(conflict, scope.canReplace);
    const standing = scope.standing.get('cancel') ?? scope.standing.get(answers.join());
    if (standing) return Promise.resolve(standing);
    return new Promise((resolve) => {
      this.#questions.push({ conflict, scope, answers, resolve });
      this.#update();
    });
  }

  /** Answers the open prompt; with `forRemaining` also those of its scope with the same choices. */
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

  /** Drops the prompts of `scope` and answers later ones with `cancel`. */
  cancelScope(scope: ConflictScope): void {
    scope.standing.set('cancel', 'cancel');
    this.#settle((question) => question.scope === scope, 'cancel');
  }

  /** Answers the prompts that match `isMeant` with `cancel`, once. */
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
