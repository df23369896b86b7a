import {
  isAtOrBelow,
  parentOf,
  relativeTo,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { diskSpaceOf } from '../../disk-space.ts';
import { AppError } from '../../errors.ts';
import { pollFolder } from '../observe/poll-folder.ts';
import { observeFolder } from './observe-folder.ts';
import { syscalls } from './paths/syscalls.ts';
import { copyEntry } from './transfers/copy-entry.ts';
import { createFolder } from './writes/create-folder.ts';
import { type Disk, placeOf, sameNames } from './disk.ts';
import { toAppError, translateErrors } from './paths/errors.ts';
import { findEntries } from './trees/find-entries.ts';
import { listFolder } from './list-folder.ts';
import { isCaseIgnoredAt } from './paths/letter-case.ts';
import { type ScopeRoot, enter, release, locate } from './paths/locate.ts';
import { fileSystemOf } from './paths/mount-table.ts';
import { pathOf } from './paths/path-of.ts';
import { compactLedger } from './kept/compact-ledger.ts';
import { openKept } from './kept/open-kept.ts';
import { purgeEntries } from './kept/purge-entries.ts';
import { recordNote } from './kept/record-note.ts';
import { readRecords, reportStores } from './kept/report-stores.ts';
import { restoreEntry } from './kept/restore-entry.ts';
import { moveEntry } from './transfers/move-entry.ts';
import { openFile } from './open-file.ts';
import { DiskPartialFile } from './writes/partial-file.ts';
import { packTree } from './trees/pack-tree.ts';
import { readEntry } from './read-entry.ts';
import { RootUse } from './root-use.ts';
import { removeEntry } from './writes/remove-entry.ts';
import {
  listByRing,
  openByRing,
  statByRing,
  statOrListByRing,
  type Unsuitable,
  unsuitable,
} from './ring/read-through-ring.ts';
import { toRawPath } from './paths/raw-names.ts';
import { runAsync } from './paths/steps.ts';
import { closeTree, openOwnTree } from './trees/open-tree.ts';
import { walkTree } from './trees/walk-tree.ts';
import { writeFile } from './writes/write-file.ts';
import { readOnly } from '../views/read-only.ts';
import { singleFile } from '../views/single-file.ts';
import type {
  KeptEntry,
  KeptNote,
  LedgerOptions,
  LedgerRecord,
  PurgeOptions,
  PurgeResult,
  RestoreOptions,
  StoreReport,
  StoresOptions,
} from '../kept/kept-entries.ts';
import type {
  DiskUsage,
  Entry,
  FindOptions,
  FolderListing,
  FolderObservation,
  FolderObserver,
  FoundEntry,
  OpenFile,
  OpenFileOptions,
  PackedMember,
  PackOptions,
  PartialFile,
  PartialOptions,
  RemoveOptions,
  StatOrList,
  Storage,
  TransferOptions,
  WalkOptions,
  WriteOptions,
} from '../storage.ts';

/** A tree of files on a disk. */
class DiskStorage implements Storage {
  readonly #disk: Disk;
  /** The calls in progress on the root, shared with the storages of `guarded`. */
  readonly #use: RootUse;

  constructor(disk: Disk, use: RootUse) {
    this.#disk = disk;
    this.#use = use;
  }

  /** Runs one call. The root stays open until it has ended. */
  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#use.begin();
    try {
      return await translateErrors(work());
    } finally {
      this.#use.end();
    }
  }

  /** Reads through the ring, or without it when the request is unsuitable for the ring. */
  #read<T>(byRing: () => Promise<T | Unsuitable>, withoutRing: () => Promise<T>): Promise<T> {
    return this.#during(async () => {
      const result = await byRing();
      return result === unsuitable ? withoutRing() : result;
    });
  }

  #readEntry(path: VirtualPath): Promise<Entry | null> {
    return runAsync(readEntry(this.#disk.scopeRoot, path));
  }

  stat(path: VirtualPath): Promise<Entry | null> {
    return this.#read(
      () => statByRing(this.#disk, path),
      () => this.#readEntry(path),
    );
  }

  async list(path: VirtualPath, { signal }: { signal?: AbortSignal } = {}): Promise<FolderListing> {
    signal?.throwIfAborted();
    return this.#read(
      () => listByRing(this.#disk, path),
      () => this.#listInWorker(path, signal),
    );
  }

  #listInWorker(path: VirtualPath, signal: AbortSignal | undefined): Promise<FolderListing> {
    this.#use.begin();
    return translateErrors(listFolder(this.#disk, path, signal, () => this.#use.end()));
  }

  async statOrList(path: VirtualPath, { signal }: { signal?: AbortSignal } = {}): Promise<StatOrList | null> {
    signal?.throwIfAborted();
    return this.#read(
      () => statOrListByRing(this.#disk, path),
      async () => {
        const entry = await this.#readEntry(path);
        if (entry?.kind !== 'folder') return entry && { entry, listing: null };
        return { entry, listing: await this.#listInWorker(path, signal) };
      },
    );
  }

  observe(path: VirtualPath, observer: FolderObserver): Promise<FolderObservation> {
    const folder = { stat: () => this.stat(path), list: () => this.list(path) };
    return this.#during(() =>
      observeFolder(this.#disk, path, observer, {
        during: (work) => this.#during(work),
        poll: (filtered) => pollFolder(folder, filtered, this.#disk.clock),
      }),
    );
  }

  openFile(path: VirtualPath, { prefersContent = false }: OpenFileOptions = {}): Promise<OpenFile> {
    return this.#read(
      () => openByRing(this.#disk, path, prefersContent),
      () => openFile(this.#disk.scopeRoot, path),
    );
  }

  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    return this.#during(() => writeFile(this.#disk, path, source, options));
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    const file = new DiskPartialFile(this.#disk, path, options);
    return {
      create: (given) => this.#during(() => file.create(given)),
      size: () => this.#during(() => file.size()),
      read: (start, end) => this.#during(() => file.read(start, end)),
      append: (source, given) => this.#during(() => file.append(source, given)),
      publish: (size, given) => this.#during(() => file.publish(size, given)),
      moveTo: (target) => this.#during(() => file.moveTo(target)),
      discard: () => this.#during(() => file.discard()),
    };
  }

  createFolder(path: VirtualPath): Promise<void> {
    return this.#during(() => createFolder(this.#disk, path));
  }

  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.#during(() => moveEntry(this.#disk, from, to, options));
  }

  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.#during(() => copyEntry(this.#disk, from, to, options));
  }

  remove(path: VirtualPath, options: RemoveOptions = {}): Promise<readonly KeptEntry[]> {
    return this.#during(() => removeEntry(this.#disk, path, options));
  }

  kept(entry: KeptEntry): Promise<Storage> {
    return this.#during(async () => {
      const { disk, file } = await openKept(this.#disk, entry);
      const storage = openStorage(disk);
      if (file === null) return readOnly(storage);
      const { assertAllowed } = this.#disk.scopeRoot;
      const above = segmentsOf(this.fromPlace(parentOf(entry.place)) ?? rootPath);
      return singleFile(storage, file.path, file.name).guarded((path) =>
        assertAllowed?.([...above, ...segmentsOf(path)]),
      );
    });
  }

  restore(entry: KeptEntry, to: VirtualPath, options: RestoreOptions): Promise<void> {
    return this.#during(() => restoreEntry(this.#disk, entry, to, options));
  }

  purge(entries: readonly KeptEntry[], options: PurgeOptions = {}): Promise<PurgeResult> {
    return this.#during(() => purgeEntries(this.#disk, entries, options));
  }

  stores(options?: StoresOptions): Promise<readonly StoreReport[]> {
    return this.#during(() => reportStores(this.#disk, options));
  }

  async *ledger(store: VirtualPath, options: LedgerOptions = {}): AsyncGenerator<LedgerRecord> {
    this.#use.begin();
    try {
      yield* readRecords(this.#disk, store, options);
    } catch (error) {
      throw toAppError(error);
    } finally {
      this.#use.end();
    }
  }

  record(note: KeptNote): Promise<readonly VirtualPath[]> {
    return this.#during(() => recordNote(this.#disk, note));
  }

  compact(
    store: VirtualPath,
    position: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    return this.#during(() => compactLedger(this.#disk, store, position, options.signal));
  }

  toPlace(path: VirtualPath): VirtualPath {
    return placeOf(this.#disk, segmentsOf(path));
  }

  fromPlace(place: VirtualPath): VirtualPath | null {
    const root = placeOf(this.#disk, []);
    return isAtOrBelow(place, root) ? relativeTo(place, root) : null;
  }

  async *walk(
    path: VirtualPath,
    options: WalkOptions = {},
  ): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    this.#use.begin();
    try {
      yield* walkTree(this.#disk, path, options);
    } catch (error) {
      throw toAppError(error);
    } finally {
      this.#use.end();
    }
  }

  async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    this.#use.begin();
    try {
      yield* packTree(this.#disk, members, options, () => this.#use.end());
    } catch (error) {
      throw toAppError(error);
    }
  }

  async *find(path: VirtualPath, options: FindOptions): AsyncGenerator<readonly FoundEntry[]> {
    this.#use.begin();
    // The worker may need the root a little longer than the caller.
    const search = findEntries(this.#disk, path, options, () => this.#use.end());
    try {
      yield* search;
    } catch (error) {
      throw toAppError(error);
    }
  }

  usage(path: VirtualPath): Promise<DiskUsage> {
    return this.#during(async () => {
      const { scopeRoot } = this.#disk;
      const resolved = await runAsync(locate(scopeRoot, segmentsOf(path), { leaf: 'follow' }));
      try {
        if (resolved.stats === null) throw new AppError('not_found');
        // A folder may be a mount point: its own disk counts, not that of its parent.
        const isFolder = resolved.stats.isDirectory();
        const folder = isFolder ? await runAsync(enter(scopeRoot, resolved)) : resolved.folder;
        try {
          const { total, free } = diskSpaceOf(await syscalls.statfs(toRawPath(folder.base)));
          return { total, used: total - free, fileSystem: await fileSystemOf(folder) };
        } finally {
          if (folder !== resolved.folder) closeTree(scopeRoot, folder);
        }
      } finally {
        release(scopeRoot, resolved);
      }
    });
  }

  ignoresCaseAt(path: VirtualPath): boolean {
    const { letterCases, prefix } = this.#disk;
    // Called for every name of a listing.
    if (letterCases.every(({ isIgnored }) => !isIgnored)) return false;
    return isCaseIgnoredAt(letterCases, [...prefix, ...segmentsOf(path)]);
  }

  within(path: VirtualPath): Promise<Storage> {
    return this.#during(async () => {
      const disk = this.#disk;
      const { scopeRoot } = disk;
      // A separate descriptor, so that both storages can be closed in any order.
      const { folder: root, names } = await openOwnTree(scopeRoot, path);
      const rootPaths = scopeRoot.rootPaths.flatMap((above) => [
        [...above, ...names],
        [...above, ...segmentsOf(path)],
      ]);
      const { assertAllowed, mayDenyBelow } = scopeRoot;
      const inner: ScopeRoot = {
        ...scopeRoot,
        root,
        rootPaths,
        assertAllowed: assertAllowed && ((below, name) => assertAllowed([...names, ...below], name)),
        mayDenyBelow: mayDenyBelow && ((below) => mayDenyBelow([...names, ...below])),
      };
      const isDirect = disk.isDirect && sameNames(names, segmentsOf(path));
      return openStorage({ ...disk, scopeRoot: inner, prefix: [...disk.prefix, ...names], isDirect });
    });
  }

  guarded(
    assertAllowed: (path: VirtualPath) => void,
    mayDenyBelow: (path: VirtualPath) => boolean = () => true,
  ): Storage {
    const { assertAllowed: before, mayDenyBelow: mayDenyBefore = () => true } = this.#disk.scopeRoot;
    let last: { readonly names: readonly string[]; readonly text: string } | null = null;
    const textOf = (names: readonly string[], name: string | undefined): string => {
      if (name === undefined) return pathOf(names);
      if (last?.names !== names) last = { names, text: names.map((each) => `/${each}`).join('') };
      return `${last.text}/${name}`;
    };
    const scopeRoot: ScopeRoot = {
      ...this.#disk.scopeRoot,
      mayDenyBelow: (names) => (before !== undefined && mayDenyBefore(names)) || mayDenyBelow(pathOf(names)),
      assertAllowed: (names, name) => {
        before?.(names, name);
        assertAllowed(textOf(names, name) as VirtualPath);
      },
    };
    return new DiskStorage({ ...this.#disk, scopeRoot, isDirect: true }, this.#use);
  }

  close(): Promise<void> {
    return this.#use.close();
  }
}

/** Opens a storage on `disk`. The stores stay open until the last storage that uses them is closed. */
export const openStorage = (disk: Disk, onClosed: () => void = () => undefined): Storage => {
  const stores = disk.stores?.acquire();
  const close = async (): Promise<void> => {
    try {
      // Their ledgers may still be writing.
      await stores?.release();
    } finally {
      onClosed();
    }
  };
  return new DiskStorage(disk, new RootUse(disk.scopeRoot.root, close));
};
