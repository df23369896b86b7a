import { maxChangedNames } from './observe-protocol.ts';

/** The collected events of one watched folder since the last report. */
export interface CollectedChange {
  readonly names: readonly string[] | null;
  readonly renamed: readonly (readonly [string, string])[];
  readonly isMoved: boolean;
}

interface Collected {
  names: Set<string> | null;
  /** The former names of entries, by their present ones. */
  readonly renamed: Map<string, string>;
  isMoved: boolean;
}

/**
 * Collects the events of watched folders until they are reported, and notices that the operating system may have lost events: it
 * queues a limited number of them, and all queued ones are delivered in one iteration of the event loop. An iteration with half as
 * many events as the queue can hold is therefore treated as an overflow, after which any name of any folder may have changed.
 */
export class ChangeCollector {
  readonly #overflowEvents: number;
  readonly #maxNames: number;
  #collected = new Map<number, Collected>();
  #eventsInIteration = 0;
  /** The name and folder of the last event, if it was of the kind `rename`. */
  #previous: { readonly id: number; readonly name: string } | null = null;

  /**
   * @param maxQueuedEvents the size of the operating system's queue
   * @param maxNames if more entries of a folder have changed, any may have
   */
  constructor(maxQueuedEvents: number, maxNames: number = maxChangedNames) {
    this.#maxNames = maxNames;
    this.#overflowEvents = Math.max(1, Math.floor(maxQueuedEvents / 2));
  }

  /** Whether nothing has to be reported. */
  get isEmpty(): boolean {
    return this.#collected.size === 0;
  }

  /**
   * Records an event. `kind` is `rename` for a name that appeared or disappeared and `change` for an entry that was changed, as
   * for `fs.watch`. A rename within a folder is two consecutive events: the name that disappeared and the one that appeared.
   */
  add(id: number, kind: 'rename' | 'change', name: string): void {
    this.#eventsInIteration += 1;
    const collected = this.#of(id);
    const { names, renamed } = collected;
    if (kind === 'rename') {
      const from = this.#previous;
      if (names !== null && from?.id === id && from.name !== name) renamed.set(name, from.name);
      this.#previous = { id, name };
    } else {
      this.#previous = null;
      // An entry with a new name that is written to is a new file.
      renamed.delete(name);
    }
    if (names === null) return;
    names.add(name);
    if (names.size > this.#maxNames) this.#anyName(collected);
  }

  /** Records that the folder itself may have been moved or removed. */
  addMoved(id: number): void {
    this.#of(id).isMoved = true;
  }

  /**
   * Must be called at the end of each iteration of the event loop with events. After an overflow, which it returns, any name of the folders
   * `ids` counts as changed.
   */
  endIteration(ids: Iterable<number>): boolean {
    const isOverflow = this.#eventsInIteration >= this.#overflowEvents;
    this.#eventsInIteration = 0;
    if (!isOverflow) return false;
    for (const id of ids) {
      const collected = this.#of(id);
      this.#anyName(collected);
      collected.isMoved = true;
    }
    return true;
  }

  /** Records that any entry of a folder may have changed. */
  addAny(id: number): void {
    this.#anyName(this.#of(id));
  }

  /** Returns and removes the collected changes, by folder. */
  take(): Map<number, CollectedChange> {
    const taken = new Map<number, CollectedChange>();
    for (const [id, { names, renamed, isMoved }] of this.#collected)
      taken.set(id, {
        names: names && [...names],
        renamed: Array.from(renamed, ([to, from]) => [from, to] as const),
        isMoved,
      });
    this.#collected = new Map();
    this.#previous = null;
    return taken;
  }

  /** Discards the changes of a folder that is no longer watched. */
  forget(id: number): void {
    this.#collected.delete(id);
  }

  #of(id: number): Collected {
    const existing = this.#collected.get(id);
    if (existing !== undefined) return existing;
    const collected: Collected = { names: new Set(), renamed: new Map(), isMoved: false };
    this.#collected.set(id, collected);
    return collected;
  }

  #anyName(collected: Collected): void {
    collected.names = null;
    collected.renamed.clear();
  }
}
