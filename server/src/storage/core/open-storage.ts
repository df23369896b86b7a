import { bytesOfName } from '@filestead/contract/paths/raw-names';
import {
  joinPaths,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type {
  KeptEntry,
  KeptNote,
  LedgerRecord,
  PurgeOptions,
  PurgeResult,
  RestoreOptions,
  StoreReport,
} from '../kept/kept-entries.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import { createNameTest } from '../listings/name-pattern.ts';
import type {
  DiskUsage,
  Entry,
  FindOptions,
  FolderListing,
  FolderObservation,
  FolderObserver,
  FoundEntry,
  OpenFile,
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
import { CheckedTree, childPath } from './checked-tree.ts';
import { filterChanges } from '../observe/filter-changes.ts';
import { listingOf } from './core-listing.ts';
import {
  displacer,
  findKept,
  purgeEntries,
  readLedger,
  recordNote,
  reportStore,
  restoreEntry,
  storedPath,
} from './core-kept.ts';
import { observeCore } from './core-observe.ts';
import { packMembers } from './core-pack.ts';
import { removeTree, transfer } from './core-transfers.ts';
import { openPartial, writeFile } from './core-writes.ts';
import { readOnly } from '../views/read-only.ts';
import { singleFile } from '../views/single-file.ts';
import type { StorageBackend } from './storage-core.ts';

const byBytes = (a: string, b: string): number => Buffer.compare(bytesOfName(a), bytesOfName(b));

/** The storage of a backend: every verb is checked, and built on the core where the backend has no ability for it. */
class CoreStorage implements Storage {
  readonly #tree: CheckedTree;
  /** False for the storages of `within` and `guarded`, which share the backend. */
  readonly #isOwner: boolean;

  constructor(tree: CheckedTree, isOwner: boolean) {
    this.#tree = tree;
    this.#isOwner = isOwner;
  }

  stat(path: VirtualPath): Promise<Entry | null> {
    return this.#tree.find(path);
  }

  async list(path: VirtualPath, { signal }: { signal?: AbortSignal } = {}): Promise<FolderListing> {
    signal?.throwIfAborted();
    const folder = await this.#tree.findFolder(path);
    const entries = await this.#tree.children(path);
    return listingOf(folder, entries, (name) => !this.#tree.isAllowed(childPath(path, name)), signal);
  }

  async observe(path: VirtualPath, observer: FolderObserver): Promise<FolderObservation> {
    await this.#tree.findFolder(path);
    const isAllowed = (name: string): boolean =>
      !isReservedName(name) && this.#tree.isAllowed(childPath(path, name));
    return observeCore(this.#tree, path, filterChanges(observer, isAllowed), {
      stat: () => this.stat(path),
      list: () => this.list(path),
    });
  }

  async statOrList(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<StatOrList | null> {
    const entry = await this.stat(path);
    return entry && { entry, listing: entry.kind === 'folder' ? await this.list(path, options) : null };
  }

  async openFile(path: VirtualPath): Promise<OpenFile> {
    const entry = await this.#tree.find(path);
    if (entry === null) throw new AppError('not_found');
    return this.#tree.backend.openFile(this.#tree.absolute(path));
  }

  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    return writeFile(this.#tree, path, source, { ...options, displace: displacer(this.#tree, options) });
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    return openPartial(this.#tree, path, options, (given) => displacer(this.#tree, given));
  }

  async createFolder(path: VirtualPath): Promise<void> {
    if ((await this.#tree.find(path))?.kind === 'folder') return;
    await this.#tree.createParents(path, true);
    await this.#tree.createFolder(path);
  }

  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return transfer(this.#tree, 'move', [from, to], options);
  }

  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return transfer(this.#tree, 'copy', [from, to], options);
  }

  remove(path: VirtualPath, options: RemoveOptions = {}): Promise<readonly KeptEntry[]> {
    return removeTree(this.#tree, path, options);
  }

  async *walk(
    path: VirtualPath,
    { accept, signal }: WalkOptions = {},
  ): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    await this.#tree.findFolder(path);
    const accepts = this.#accepting(accept);
    yield* this.#tree.descendants(path, { accept: accepts, signal, skipsUnreadable: true });
  }

  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array> {
    return packMembers(this.#tree, members, options);
  }

  async *find(
    path: VirtualPath,
    { pattern, accept, signal }: FindOptions,
  ): AsyncGenerator<readonly FoundEntry[]> {
    await this.#tree.findFolder(path);
    const matches = createNameTest(pattern);
    const walk = this.#tree.descendants(path, {
      accept: this.#accepting(accept),
      compare: byBytes,
      signal,
      skipsUnreadable: true,
    });
    for await (const found of walk)
      if (matches(nameOf(found.path))) yield [{ path: found.path, isFolder: found.entry.kind === 'folder' }];
    signal?.throwIfAborted();
  }

  async usage(path: VirtualPath): Promise<DiskUsage> {
    const entry = await this.#tree.find(path);
    if (entry === null) throw new AppError('not_found');
    const { backend } = this.#tree;
    if (backend.usage !== undefined) return backend.usage(this.#tree.absolute(path));
    let used = 0;
    for await (const below of new CheckedTree(backend).descendants(rootPath)) used += below.entry.size;
    return { total: Number.MAX_SAFE_INTEGER, used, fileSystem: '' };
  }

  async kept(entry: KeptEntry): Promise<Storage> {
    const { found, path } = await findKept(this.#tree, entry);
    const stored = storedPath(entry);
    if (found.kind === 'folder') return readOnly(new CoreStorage(this.#tree.keptAt(stored, path), false));
    const folder = new CoreStorage(this.#tree.whole().within(parentOf(stored)), false);
    const file = singleFile(folder, `/${nameOf(stored)}` as VirtualPath, nameOf(path));
    const assertAllowed = (below: VirtualPath): void =>
      this.#tree.assertAllowed(joinPaths(parentOf(path), below));
    return file.guarded(assertAllowed);
  }

  restore(entry: KeptEntry, to: VirtualPath, options: RestoreOptions): Promise<void> {
    return restoreEntry(this.#tree, entry, to, options);
  }

  purge(entries: readonly KeptEntry[], options: PurgeOptions = {}): Promise<PurgeResult> {
    return purgeEntries(this.#tree, entries, options);
  }

  async stores(): Promise<readonly StoreReport[]> {
    const whole = this.#tree.whole();
    return [await reportStore(whole, await new CoreStorage(whole, false).usage(rootPath))];
  }

  ledger(store: VirtualPath): AsyncIterable<LedgerRecord> {
    return readLedger(this.#tree.whole(), store);
  }

  record(note: KeptNote): Promise<readonly VirtualPath[]> {
    return recordNote(this.#tree.whole(), note);
  }

  async compact(): Promise<void> {
    // The record of an entry is a file, which is removed with it.
  }

  toPlace(path: VirtualPath): VirtualPath {
    return this.#tree.absolute(path);
  }

  fromPlace(place: VirtualPath): VirtualPath | null {
    return this.#tree.fromAbsolute(place);
  }

  ignoresCaseAt(): boolean {
    return false;
  }

  async within(path: VirtualPath): Promise<Storage> {
    await this.#tree.findFolder(path);
    return new CoreStorage(this.#tree.within(path), false);
  }

  guarded(assertAllowed: (path: VirtualPath) => void): Storage {
    return new CoreStorage(this.#tree.guarded(assertAllowed), this.#isOwner);
  }

  async close(): Promise<void> {
    if (this.#isOwner) await this.#tree.backend.close?.();
  }

  #accepting(accept: WalkOptions['accept']): (path: VirtualPath) => boolean {
    return (path) => accept?.(path) !== false && this.#tree.isAllowed(path);
  }
}

/** The complete storage of `backend`. Abilities that the backend lacks are replaced by defaults built on its core. */
export const openStorage = (backend: StorageBackend): Storage =>
  new CoreStorage(new CheckedTree(backend), true);
