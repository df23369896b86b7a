import { joinPaths, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { findInWorker } from '../../listings/listing-pool.ts';
import { type ListingMessage, maxUnread } from '../../listings/listing-protocol.ts';
import { Yielder } from '../../../scheduling/event-loop.ts';
import type { FindOptions, FoundEntry } from '../../storage.ts';
import type { Disk } from '../disk.ts';
import { errorFromWorker } from '../paths/errors.ts';
import { closeFolder } from '../paths/folder.ts';
import { shareScopeRoot } from '../paths/shared-scope-root.ts';
import { openOwnTree } from './open-tree.ts';
import { createAcceptFilter } from './walk-tree.ts';

type Found = Extract<ListingMessage, { kind: 'found' }>;

/** The messages of the worker about one search, in order. The worker pauses when they are not consumed. */
class FoundQueue {
  readonly #unreadCount: Int32Array;
  readonly #pending: Found[] = [];
  #hasEnded = false;
  #error: unknown = null;
  #wake: (() => void) | null = null;

  constructor(unreadCount: SharedArrayBuffer) {
    this.#unreadCount = new Int32Array(unreadCount);
  }

  onMessage(message: ListingMessage): void {
    if (message.kind === 'found') this.#pending.push(message);
    else if (message.kind === 'failed') this.#error ??= errorFromWorker(message.code, message.message);
    else if (message.kind === 'end') this.#hasEnded = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** @param onSpace called when a search that has paused because the queue was full may continue */
  async *all(onSpace: () => void): AsyncGenerator<Found> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      const found = this.#pending.shift();
      if (found !== undefined) {
        if (Atomics.sub(this.#unreadCount, 0, 1) === maxUnread) onSpace();
        yield found;
      } else if (this.#hasEnded) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

/** Creates a test whether a path below the top is accepted together with all folders above it. Folders are tested once. */
function createFilter(
  accepts: (relative: readonly string[]) => boolean,
): (relative: readonly string[]) => boolean {
  const folders = new Map<string, boolean>();
  const isOpen = (relative: readonly string[]): boolean => {
    if (relative.length === 0) return true;
    const key = relative.join('/');
    let isVisible = folders.get(key);
    if (isVisible === undefined) {
      isVisible = isOpen(relative.slice(0, -1)) && accepts(relative);
      folders.set(key, isVisible);
    }
    return isVisible;
  };
  return (relative) => isOpen(relative.slice(0, -1)) && accepts(relative);
}

/** Finds entries by their names in a worker. `onEnd` is called when the worker no longer needs a descriptor of the scope. */
export async function* findEntries(
  disk: Disk,
  path: VirtualPath,
  options: FindOptions,
  onEnd: () => void,
): AsyncGenerator<readonly FoundEntry[]> {
  const { scopeRoot } = disk;
  const { pattern, signal } = options;
  let release = onEnd;
  try {
    signal?.throwIfAborted();
    // The worker gets its own descriptor.
    const top = await openOwnTree(scopeRoot, path);
    const { folder } = top;
    release = () => {
      closeFolder(folder);
      onEnd();
    };
    const accepts = createAcceptFilter(disk, path, top, options);
    const isShown = accepts && createFilter(accepts);

    const unreadCount = new SharedArrayBuffer(4);
    const stop = new SharedArrayBuffer(4);
    const queue = new FoundQueue(unreadCount);
    const ended = release;
    const resume = findInWorker(
      {
        kind: 'find',
        scopeRoot: shareScopeRoot(scopeRoot),
        folder,
        names: top.names,
        pattern,
        stop,
        unreadCount,
      },
      {
        onMessage: (message) => {
          queue.onMessage(message);
          if (message.kind === 'end') ended();
        },
      },
    );
    release = () => undefined;
    const stopSearch = (): void => {
      Atomics.store(new Int32Array(stop), 0, 1);
      resume();
    };
    const onAbort = (): void => {
      queue.fail(signal?.reason);
      stopSearch();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const yielder = new Yielder();
      for await (const { text, folders } of queue.all(resume)) {
        const entries: FoundEntry[] = [];
        for (const [position, relative] of text.split('\0').entries()) {
          if (yielder.isDue()) await yielder.yield();
          if (isShown !== undefined && !isShown(relative.split('/'))) continue;
          entries.push({
            path: joinPaths(path, `/${relative}` as VirtualPath),
            isFolder: folders[position] === 1,
          });
        }
        if (entries.length > 0) yield entries;
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stopSearch();
    }
  } catch (error) {
    release();
    throw error;
  }
}
