import { joinPaths, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { findInWorker } from '../../listings/listing-pool.ts';
import { type ListingMessage, maxUntaken } from '../../listings/listing-protocol.ts';
import { Yielder } from '../../../scheduling/event-loop.ts';
import type { FindOptions, FoundEntry } from '../../storage.ts';
import type { Disk } from '../disk.ts';
import { errorFromWorker } from '../paths/errors.ts';
import { at, closeFolder, openFolder } from '../paths/folder.ts';
import { accepting, openTree } from './walk-tree.ts';

type Found = Extract<ListingMessage, { kind: 'found' }>;

/** The messages of the worker about one search, in order, and no faster than they are requested. */
class Findings {
  readonly #untaken: Int32Array;
  readonly #waiting: Found[] = [];
  #hasEnded = false;
  #error: unknown = null;
  #wake: (() => void) | null = null;

  constructor(untaken: SharedArrayBuffer) {
    this.#untaken = new Int32Array(untaken);
  }

  onMessage(message: ListingMessage): void {
    if (message.kind === 'found') this.#waiting.push(message);
    else if (message.kind === 'failed') this.#error ??= errorFromWorker(message.code, message.message);
    else if (message.kind === 'end') this.#hasEnded = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** `onRoom` is called when a search that paused for want of room may go on. */
  async *all(onRoom: () => void): AsyncGenerator<Found> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      const found = this.#waiting.shift();
      if (found !== undefined) {
        if (Atomics.sub(this.#untaken, 0, 1) === maxUntaken) onRoom();
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

/** Whether a path below the top may be seen: it and every folder above it. Folders are asked about once. */
function createFilter(
  accepts: (relative: readonly string[]) => boolean,
): (relative: readonly string[]) => boolean {
  const folders = new Map<string, boolean>();
  const isOpen = (relative: readonly string[]): boolean => {
    if (relative.length === 0) return true;
    const key = relative.join('/');
    let verdict = folders.get(key);
    if (verdict === undefined) {
      verdict = isOpen(relative.slice(0, -1)) && accepts(relative);
      folders.set(key, verdict);
    }
    return verdict;
  };
  return (relative) => isOpen(relative.slice(0, -1)) && accepts(relative);
}

/** Finds entries by their names in a worker. `onEnd` is called when it needs no descriptor of the area any more. */
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
    const top = await openTree(scopeRoot, path);
    // The worker gets a descriptor of its own, also for the root.
    const folder =
      top.folder === scopeRoot.root
        ? await openFolder(scopeRoot.confinement, at(top.folder, '.')).async()
        : top.folder;
    release = () => {
      closeFolder(folder);
      onEnd();
    };
    const accepts = accepting(disk, path, top, options);
    const isShown = accepts && createFilter(accepts);

    const untaken = new SharedArrayBuffer(4);
    const stop = new SharedArrayBuffer(4);
    const findings = new Findings(untaken);
    const { confinement, root, rootPaths, exclusions, followExternal } = scopeRoot;
    const ended = release;
    const resume = findInWorker(
      {
        kind: 'find',
        scopeRoot: { confinement, root, rootPaths, exclusions, followExternal },
        folder,
        names: top.names,
        pattern,
        stop,
        untaken,
      },
      {
        onMessage: (message) => {
          findings.onMessage(message);
          if (message.kind === 'end') ended();
        },
      },
    );
    release = () => undefined;
    const leave = (): void => {
      Atomics.store(new Int32Array(stop), 0, 1);
      resume();
    };
    const onAbort = (): void => {
      findings.fail(signal?.reason);
      leave();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const yielder = new Yielder();
      for await (const { text, folders } of findings.all(resume)) {
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
      leave();
    }
  } catch (error) {
    release();
    throw error;
  }
}
