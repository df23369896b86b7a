import { listOperations, type Operation } from '@filestead/contract/endpoints/operations';
import { call, isAbort } from '../../api/call.ts';

/** The filter of the list of operations. */
export interface HistoryFilter {
  /** Whether to list only the user’s own operations. */
  readonly isMine: boolean;
  /** The folder to which the list is restricted; empty for all. */
  readonly below: string;
}

/** The number of operations that are loaded at once. */
const pageOperations = 100;

/** The list of operations, loaded page by page. */
export class HistoryModel {
  #items: readonly Operation[] = [];
  #next: string | null = null;
  #phase: 'loading' | 'ready' | 'failed' = 'loading';
  #error: unknown = null;
  #filter: HistoryFilter = { isMine: false, below: '' };
  #loading = new AbortController();
  #version = 0;
  readonly #listeners = new Set<() => void>();

  get items(): readonly Operation[] {
    return this.#items;
  }

  /** Whether there are further operations. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  get phase(): 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }

  get error(): unknown {
    return this.#error;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Changes with every change of the list. */
  readonly getSnapshot = (): number => this.#version;

  /** Loads the list for another filter. */
  async show(filter: HistoryFilter): Promise<void> {
    this.#filter = filter;
    this.#items = [];
    this.#phase = 'loading';
    this.#changed();
    await this.reload();
  }

  /** Loads the shown list again, with as many operations as before. */
  async reload(): Promise<void> {
    await this.#load(null, Math.max(pageOperations, this.#items.length));
  }

  /** Loads the operations that follow. */
  async loadMore(): Promise<void> {
    if (this.#next !== null && this.#phase === 'ready') await this.#load(this.#next, pageOperations);
  }

  /** Stops loading. */
  stop(): void {
    this.#loading.abort();
  }

  async #load(before: string | null, count: number): Promise<void> {
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { isMine, below } = this.#filter;
    try {
      const { items, next } = await call(listOperations, {
        query: {
          ...(isMine && { mine: 'true' as const }),
          ...(below !== '' && { below }),
          ...(before !== null && { before }),
          limit: String(Math.min(count, 1000)),
        },
        signal: loading.signal,
      });
      this.#items = before === null ? items : [...this.#items, ...items];
      this.#next = next;
      this.#phase = 'ready';
    } catch (error) {
      if (isAbort(error) || loading.signal.aborted) return;
      this.#phase = 'failed';
      this.#error = error;
    }
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
