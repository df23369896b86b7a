import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { listInWorker } from '../listings/listing-pool.ts';
import type { ListingMessage } from '../listings/listing-protocol.ts';
import type { EntryBatch, FolderListing } from '../storage.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import { type Disk, sameNames } from './disk.ts';
import { errorFromWorker } from './paths/errors.ts';
import { entryOf } from './paths/metadata.ts';
import { at, closeFolder, openFolder } from './paths/folder.ts';
import { lstatOrNull } from './paths/publish.ts';
import { openTree } from './trees/walk-tree.ts';

/** Gathers what the worker says about one folder. */
class ListingCollector {
  readonly names: string[] = [];
  folderCount = 0;
  /** Where links lead, by position: names from the root of the area. */
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

  /** Stops whoever waits. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  async allNames(): Promise<void> {
    while (!this.#hasNames && !this.#hasEnded && this.#error === null) await this.#news();
    if (this.#error !== null) throw this.#error;
  }

  async *batches(): AsyncGenerator<EntryBatch> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      const batch = this.#batches.shift();
      if (batch !== undefined) yield batch;
      else if (this.#hasEnded) return;
      else await this.#news();
    }
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** The positions that the guard of the area refuses. Gives the event loop its turn in long lists. */
async function findRefused(
  { scopeRoot: { admit }, isDirect }: Disk,
  path: VirtualPath,
  place: readonly string[],
  { names, targets }: ListingCollector,
): Promise<Set<number>> {
  const refused = new Set<number>();
  if (admit === undefined) return refused;
  const ask = (position: number, real: readonly string[]): void => {
    try {
      admit(real);
    } catch {
      refused.add(position);
    }
  };
  for (const [position, target] of targets) ask(position, target);
  // Without a link on the way the names are at the very places that whoever lists them asks about.
  if (isDirect && sameNames(place, segmentsOf(path))) return refused;
  const yielder = new Yielder();
  for (const [position, name] of names.entries()) {
    ask(position, [...place, name]);
    if (yielder.isDue()) await yielder.yield();
  }
  return refused;
}

/**
 * Lists the folder at `path` in a worker. `onEnd` is called when the worker needs no descriptor of the area any more.
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
    const { folder: found, names, isSymlink } = await openTree(scopeRoot, path);
    // The worker gets a descriptor of its own, also for the root.
    const folder =
      found === scopeRoot.root ? await openFolder(scopeRoot.confinement, at(found, '.')).async() : found;
    release = () => {
      closeFolder(folder);
      onEnd();
    };
    const stats = await lstatOrNull(folder, '.');
    if (stats === null) throw new AppError('not_found');

    const gathering = new ListingCollector();
    const stop = new SharedArrayBuffer(4);
    const leave = (reason?: unknown): void => {
      Atomics.store(new Int32Array(stop), 0, 1);
      gathering.fail(reason ?? new Error('the listing was left'));
    };
    const onAbort = (): void => leave(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const { confinement, root, rootPaths, exclusions, followExternal } = scopeRoot;
    const ended = release;
    release = () => undefined;
    listInWorker(
      {
        kind: 'list',
        scopeRoot: { confinement, root, rootPaths, exclusions, followExternal },
        folder,
        names,
        stop,
      },
      Number(stats.size),
      {
        onMessage: (message) => {
          gathering.onMessage(message);
          if (message.kind !== 'end') return;
          signal?.removeEventListener('abort', onAbort);
          ended();
        },
      },
    );
    await gathering.allNames();
    const refused = await findRefused(disk, path, names, gathering);
    return {
      folder: entryOf(nameOf(path), stats, isSymlink),
      names: gathering.names,
      folderCount: gathering.folderCount,
      refused,
      async *batches() {
        try {
          yield* gathering.batches();
        } finally {
          leave();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
