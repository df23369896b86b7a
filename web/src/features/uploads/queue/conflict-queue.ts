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
  readonly answersForRemaining: Map<string, ConflictAnswer>;
}

/** Creates a scope. Without `canReplace` (no permission to modify) replacing is not offered. */
export const conflictScope = (canReplace: boolean): ConflictScope => ({
  canReplace,
  answersForRemaining: new Map(),
});

/** Returns the possible answers to `conflict`, the suggested one first. `cancel` is always possible. */
export function answersFor(conflict: Conflict, canReplace: boolean): ConflictChoice[] {
  const { incoming, existing } = conflict;
  if (incoming.isFolder && existing.isFolder) return ['merge', 'keep_both', 'skip'];
  const isReplaceable = canReplace && !incoming.isFolder && !existing.isFolder;
  return isReplaceable ? ['keep_both', 'replace', 'skip'] : ['keep_both', 'skip'];
}

interface QueuedPrompt {
  readonly conflict: Conflict;
  readonly scope: ConflictScope;
  readonly answers: readonly ConflictChoice[];
  readonly resolve: (answer: ConflictAnswer) => void;
}

/** The prompt to show. */
export interface OpenPrompt {
  readonly conflict: Conflict;
  readonly answers: readonly ConflictChoice[];
  /** The number of further prompts that the same answer could resolve. */
  readonly remaining: number;
}

const choicesKeyOf = (prompt: QueuedPrompt): string => prompt.answers.join();

/** Queues the prompts about name conflicts, one dialog at a time, in the order in which they arose. */
export class ConflictQueue {
  #prompts: QueuedPrompt[] = [];
  readonly #listeners = new Set<() => void>();
  #open: OpenPrompt | null = null;

  /** Returns the prompt to show, or null. The same object until something changes. */
  readonly getSnapshot = (): OpenPrompt | null => this.#open;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the user has answered, or at once if an answer for the remaining ones applies. */
  ask(conflict: Conflict, scope: ConflictScope): Promise<ConflictAnswer> {
    const answers = answersFor(conflict, scope.canReplace);
    const applicable =
      scope.answersForRemaining.get('cancel') ?? scope.answersForRemaining.get(answers.join());
    if (applicable) return Promise.resolve(applicable);
    return new Promise((resolve) => {
      this.#prompts.push({ conflict, scope, answers, resolve });
      this.#update();
    });
  }

  /** Answers the open prompt; with `forRemaining` also those of its scope with the same choices. */
  answer(answer: ConflictAnswer, forRemaining: boolean): void {
    const first = this.#prompts[0];
    if (!first) return;
    const isCancel = answer === 'cancel';
    if (isCancel) first.scope.answersForRemaining.set('cancel', 'cancel');
    else if (forRemaining) first.scope.answersForRemaining.set(choicesKeyOf(first), answer);
    this.#resolve((prompt) => {
      if (prompt === first) return true;
      if (prompt.scope !== first.scope) return false;
      return isCancel || (forRemaining && choicesKeyOf(prompt) === choicesKeyOf(first));
    }, answer);
  }

  /** Drops the prompts of `scope` and answers later ones with `cancel`. */
  cancelScope(scope: ConflictScope): void {
    scope.answersForRemaining.set('cancel', 'cancel');
    this.#resolve((prompt) => prompt.scope === scope, 'cancel');
  }

  /** Answers the prompts for which `matches` is true with `cancel`, once. */
  cancel(matches: (conflict: Conflict) => boolean): void {
    this.#resolve((prompt) => matches(prompt.conflict), 'cancel');
  }

  #resolve(matches: (prompt: QueuedPrompt) => boolean, answer: ConflictAnswer): void {
    const resolved = this.#prompts.filter(matches);
    if (resolved.length === 0) return;
    this.#prompts = this.#prompts.filter((prompt) => !matches(prompt));
    for (const prompt of resolved) prompt.resolve(answer);
    this.#update();
  }

  #update(): void {
    const first = this.#prompts[0];
    this.#open = first
      ? {
          conflict: first.conflict,
          answers: first.answers,
          remaining: this.#prompts.filter(
            (other) =>
              other !== first && other.scope === first.scope && choicesKeyOf(other) === choicesKeyOf(first),
          ).length,
        }
      : null;
    for (const listener of this.#listeners) listener();
  }
}
