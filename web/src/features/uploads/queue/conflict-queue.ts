import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ConflictChoice, ConflictSide } from '../../../ui/conflicts/conflict.ts';

/** The answers that a prompt offers; closing it cancels. */
type OfferedChoice = Exclude<ConflictChoice, 'cancel'>;

/** One side of a conflict. The size is always known; it is 0 for folders. */
export interface UploadConflictSide extends ConflictSide {
  readonly size: number;
}

/** An upload and the existing entry at its destination. */
export interface UploadConflict {
  /** The common path. */
  readonly path: VirtualPath;
  readonly incoming: UploadConflictSide;
  /** The incoming file, for a thumbnail; absent for folders. */
  readonly file?: File;
  readonly existing: UploadConflictSide;
}

/** Uploads that were added together. Answers "for the remaining" ones apply within it. */
export interface ConflictScope {
  readonly canReplace: boolean;
  readonly answersForRemaining: Map<string, ConflictChoice>;
}

/** Creates a scope. Without `canReplace` (no permission to modify) replacing is not offered. */
export const conflictScope = (canReplace: boolean): ConflictScope => ({
  canReplace,
  answersForRemaining: new Map(),
});

/** Returns the possible answers to `conflict`, the suggested one first. `cancel` is always possible. */
export function answersFor(conflict: UploadConflict, canReplace: boolean): OfferedChoice[] {
  const { incoming, existing } = conflict;
  if (incoming.isFolder && existing.isFolder) return ['merge', 'keep_both', 'skip'];
  const isReplaceable = canReplace && !incoming.isFolder && !existing.isFolder;
  return isReplaceable ? ['keep_both', 'replace', 'skip'] : ['keep_both', 'skip'];
}

interface QueuedPrompt {
  readonly conflict: UploadConflict;
  readonly scope: ConflictScope;
  readonly answers: readonly OfferedChoice[];
  readonly resolve: (answer: ConflictChoice) => void;
}

/** The prompt to show. */
export interface OpenPrompt {
  readonly conflict: UploadConflict;
  readonly answers: readonly OfferedChoice[];
  /** The number of further prompts that the same answer could resolve. */
  readonly remaining: number;
}

const choicesKeyOf = ({ answers }: Pick<QueuedPrompt, 'answers'>): string => answers.join();

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
  ask(conflict: UploadConflict, scope: ConflictScope): Promise<ConflictChoice> {
    const answers = answersFor(conflict, scope.canReplace);
    const applicable =
      scope.answersForRemaining.get('cancel') ?? scope.answersForRemaining.get(choicesKeyOf({ answers }));
    if (applicable) return Promise.resolve(applicable);
    return new Promise((resolve) => {
      this.#prompts.push({ conflict, scope, answers, resolve });
      this.#update();
    });
  }

  /** Answers the open prompt; with `forRemaining` also those of its scope with the same choices. */
  answer(answer: ConflictChoice, forRemaining: boolean): void {
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
  cancel(matches: (conflict: UploadConflict) => boolean): void {
    this.#resolve((prompt) => matches(prompt.conflict), 'cancel');
  }

  #resolve(matches: (prompt: QueuedPrompt) => boolean, answer: ConflictChoice): void {
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
