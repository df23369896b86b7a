import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { KeyAt, MarkedPlace, MarkRepository } from '../database/mark-repository.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { entryAt, identityOf, isSameEntry } from './marked-places.ts';

/** The time for which changed folders are collected before they are examined (milliseconds). */
const collectMs = 300;
/** Maximum number of entries that are read to find a marked one in a folder. */
const maxReadEntries = 2_000;

/** The dependencies of {@link RenameFinder}. */
export interface RenameFinderParts {
  readonly repository: MarkRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly keyAt: KeyAt;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  /** Called with the inodes of all marked entries and the folders above them when they have changed. */
  readonly onInodes?: (inodes: ReadonlySet<string>) => void;
}

/**
 * Finds marked entries that other programs have renamed or moved, by device, inode and creation time, in folders of which a change
 * is reported. An entry that still exists at its path is never taken for a renamed one: programs that save a file by renaming
 * the former state would take its marks with them.
 */
export class RenameFinder {
  readonly #parts: RenameFinderParts;
  /** The changed folders with the names that may have changed; null for all names. */
  #pending = new Map<VirtualPath, Set<string> | null>();
  #cancel: (() => void) | null = null;
  #inodes: Promise<Set<string>> | null = null;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: RenameFinderParts) {
    this.#parts = parts;
  }

  /** Loads the marked entries. Without it they are loaded with the first change. */
  async start(): Promise<void> {
    this.#parts.onInodes?.(await this.#known());
  }

  /** Adds entries that were marked. */
  async remember(places: readonly MarkedPlace[]): Promise<void> {
    const inodes = await this.#known();
    const before = inodes.size;
    for (const { identity } of places) if (identity !== null) inodes.add(identity.inode);
    if (inodes.size > before) this.#parts.onInodes?.(inodes);
  }

  /** Records that another program may have changed entries of a folder of the served root; `names` is null for any of them. */
  changed(folder: VirtualPath, names: readonly string[] | null): void {
    const pending = this.#pending.get(folder);
    if (names === null || pending === null) this.#pending.set(folder, null);
    else this.#pending.set(folder, new Set([...(pending ?? []), ...names]));
    this.#cancel ??= this.#parts.clock.after(collectMs, () => void this.settle());
  }

  /** Examines the changed folders now. Errors are logged. */
  settle(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const pending = this.#pending;
    this.#pending = new Map();
    this.#working = this.#examineAfter(this.#working, pending);
    return this.#working;
  }

  /** Stops examining folders. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#pending.clear();
    await this.#working;
  }

  async #examineAfter(
    earlier: Promise<void>,
    folders: ReadonlyMap<VirtualPath, ReadonlySet<string> | null>,
  ): Promise<void> {
    await earlier;
    try {
      await this.#examine(folders);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'renamed entries with marks could not be searched for');
    }
  }

  #known(): Promise<Set<string>> {
    this.#inodes ??= this.#parts.repository.inodes().then(
      (inodes) => new Set(inodes),
      (error: unknown) => {
        this.#inodes = null;
        throw error;
      },
    );
    return this.#inodes;
  }

  async #examine(folders: ReadonlyMap<VirtualPath, ReadonlySet<string> | null>): Promise<void> {
    const inodes = await this.#known();
    if (inodes.size === 0) return;
    const found = new Map<string, { path: VirtualPath; entry: Entry }[]>();
    for (const [folder, names] of folders) {
      for (const name of names ?? (await this.#namesIn(folder))) {
        const path = childOf(folder, name);
        const entry = await entryAt(this.#parts.storage, path);
        const inode = String(entry?.inode);
        if (entry !== null && inodes.has(inode))
          found.set(inode, [...(found.get(inode) ?? []), { path, entry }]);
      }
    }
    if (found.size > 0) await this.#relocate(found);
  }

  async #namesIn(folder: VirtualPath): Promise<readonly string[]> {
    const entry = await entryAt(this.#parts.storage, folder);
    if (entry?.kind !== 'folder') return [];
    const listing = await this.#parts.storage.list(folder);
    const names: string[] = [];
    for await (const { first, count } of listing.batches()) {
      names.push(...listing.names.slice(first, first + count));
      // Leaving the loop stops the listing.
      if (names.length >= maxReadEntries) break;
    }
    return names;
  }

  async #relocate(found: ReadonlyMap<string, readonly { path: VirtualPath; entry: Entry }[]>): Promise<void> {
    const { repository, storage, keyAt } = this.#parts;
    for (const known of await repository.withInodes([...found.keys()])) {
      const entries = found.get(known.identity.inode) ?? [];
      const renamed = entries.find(({ entry }) => {
        const identity = identityOf(entry);
        return identity !== null && isSameEntry(identity, known.identity);
      });
      if (renamed === undefined || entries.some(({ path }) => path === known.path)) continue;
      const current = await entryAt(storage, known.path);
      if (current !== null && (current.kind === 'folder') === known.isFolder) continue;
      await repository.relocate(known.place, renamed.path, keyAt);
    }
  }
}
