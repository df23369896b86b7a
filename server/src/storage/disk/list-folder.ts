import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { listInWorker } from '../listings/listing-pool.ts';
import type { ListingMessage } from '../listings/listing-protocol.ts';
import type { EntryBatch, FolderListing } from '../storage.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import { type Disk, sameNames } from './disk.ts';
import { errorFromWorker } from './paths/errors.ts';
import { entryOf } from './paths/metadata.ts';
import { closeFolder } from './paths/folder.ts';
import { lstatOrNull } from './paths/publish.ts';
import { shareScopeRoot } from './paths/shared-scope-root.ts';
import { openOwnTree } from './trees/open-tree.ts';

/** Collects the messages of the worker about one folder. */
class ListingCollector {
  readonly names: string[] = [];
  folderCount = 0;
  /** The targets of links by position: names from the root of the scope. */
  readonly targets = new Map<number, readonly string[]>();
  readonly #batches: EntryBatch[] = [];
  #hasNames = false;
  #hasEnded = false;
  #error: unknown = null;
  #wake: (() => void) | null = null;

  onMessage(message: ListingMessage): void {
    if (message.kind === 'names') {
      if (message.count > 0) for (const name of message.text.split('/')) this.names.push(name);
      for (const [position, names] of message.targets) this.targets.set(position, names);
      this.folderCount = message.folderCount;
      this.#hasNames = message.isLast;
    } else if (message.kind === 'batch') {
      this.#batches.push(message.batch);
    } else if (message.kind === 'failed') {
      this.#error = errorFromWorker(message.code, message.message);
    } else if (message.kind === 'end') {
      this.#hasEnded = true;
    }
    this.#wake?.();
  }

  /** Rejects all pending and later calls with `error`. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** Resolves once all names have arrived. Throws the error of the worker. */
  async allNames(): Promise<void> {
    while (!this.#hasNames && !this.#hasEnded && this.#error === null) await this.#nextMessage();
    if (this.#error !== null) throw this.#error;
  }

  async *batches(): AsyncGenerator<EntryBatch> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      const batch = this.#batches.shift();
      if (batch !== undefined) yield batch;
      else if (this.#hasEnded) return;
      else await this.#nextMessage();
    }
  }

  #nextMessage(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * The positions that the guard of the scope refuses in a listing of `path`, whose real path is `realNames`. Yields to the
 * event loop in long lists.
 */
export async function findRefused(
  { scopeRoot: { assertAllowed }, isDirect }: Disk,
  path: VirtualPath,
  realNames: readonly string[],
  { names, targets }: Pick<ListingCollector, 'names' | 'targets'>,
): Promise<Set<number>> {
  const refused = new Set<number>();
  if (assertAllowed === undefined) return refused;
  const check = (position: number, real: readonly string[]): void => {
    try {
      assertAllowed(real);
    } catch {
      refused.add(position);
    }
  };
  for (const [position, target] of targets) check(position, target);
  // When no link leads to the folder, the caller's own filter already covers the same paths.
  if (isDirect && sameNames(realNames, segmentsOf(path))) return refused;
  const yielder = new Yielder();
  for (const [position, name] of names.entries()) {
    check(position, [...realNames, name]);
    if (yielder.isDue()) await yielder.yield();
  }
  return refused;
}

/**
 * Lists the folder at `path` in a worker. `onEnd` is called when the worker no longer needs a descriptor of the scope.
 */
export async function listFolder(
  disk: Disk,
  path: VirtualPath,
  signal: AbortSignal | undefined,
  onEnd: () => void,
): Promise<FolderListing> {
  const { scopeRoot } = disk;
  let release = onEnd;
  try {
    signal?.throwIfAborted();
    // The worker gets its own descriptor.
    const { folder, names, isSymlink } = await openOwnTree(scopeRoot, path);
    release = () => {
      closeFolder(folder);
      onEnd();
    };
    const stats = await lstatOrNull(folder, '.');
    if (stats === null) throw new AppError('not_found');

    const collector = new ListingCollector();
    const stop = new SharedArrayBuffer(4);
    const stopListing = (reason?: unknown): void => {
      Atomics.store(new Int32Array(stop), 0, 1);
      collector.fail(reason ?? new Error('the listing was stopped'));
    };
    const onAbort = (): void => stopListing(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const ended = release;
    release = () => undefined;
    listInWorker(
      {
        kind: 'list',
        scopeRoot: shareScopeRoot(scopeRoot),
        folder,
        names,
        stop,
      },
      Number(stats.size),
      {
        onMessage: (message) => {
          collector.onMessage(message);
          if (message.kind !== 'end') return;
          signal?.removeEventListener('abort', onAbort);
          ended();
        },
      },
    );
    await collector.allNames();
    const refused = await findRefused(disk, path, names, collector);
    return {
      folder: entryOf(nameOf(path), stats, isSymlink),
      names: collector.names,
      folderCount: collector.folderCount,
      refused,
      async *batches() {
        try {
          yield* collector.batches();
        } finally {
          stopListing();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
