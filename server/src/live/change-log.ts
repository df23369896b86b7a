import { maxLiveNames } from '@filestead/contract/values/limits';
import type { FolderChange } from '../storage/storage.ts';

/** The changes that were reported together. */
interface LoggedChange extends FolderChange {
  /** The count of the folder after the change. */
  readonly count: number;
  /** The time of the entry in the log, in Unix milliseconds. */
  readonly loggedAt: number;
}

/** The maximum number of changes in the log. */
const maxChanges = 200;

/** Adds `added` to `names` and returns them; null when any name may be affected, or more than {@link maxLiveNames} are. */
export function joinNames(names: Set<string> | null, added: Iterable<string> | null): Set<string> | null {
  if (names === null || added === null) return null;
  for (const name of added) names.add(name);
  return names.size > maxLiveNames ? null : names;
}

/** The latest changes of a folder, counted from 0. */
export class ChangeLog {
  #changes: LoggedChange[] = [];
  #count = 0;

  /** The number of changes so far. */
  get count(): number {
    return this.#count;
  }

  add(change: FolderChange, loggedAt: number): void {
    this.#count += 1;
    // A change that may affect any name includes all earlier changes.
    if (change.names === null) this.#changes = [];
    this.#changes.push({ ...change, count: this.#count, loggedAt });
    if (this.#changes.length > maxChanges) this.#changes.shift();
  }

  /** The changes after `count`; `names` is null when they are no longer in the log. */
  since(count: number): FolderChange {
    const first = this.#changes[0];
    const isKnown = count === this.#count || (first !== undefined && count >= first.count - 1);
    if (!isKnown || count > this.#count) return { names: null, renamed: [] };
    return join(this.#changes.filter((change) => change.count > count));
  }

  /** The changes that were logged at or after this time. */
  sinceTime(timeMs: number): FolderChange {
    const first = this.#changes[0];
    if (this.#changes.length >= maxChanges && first !== undefined && first.loggedAt >= timeMs)
      return { names: null, renamed: [] };
    return join(this.#changes.filter(({ loggedAt }) => loggedAt >= timeMs));
  }
}

function join(changes: readonly FolderChange[]): FolderChange {
  let names: Set<string> | null = new Set();
  for (const change of changes) names = joinNames(names, change.names);
  return { names: names && [...names], renamed: changes.flatMap(({ renamed }) => renamed) };
}
