import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
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

/** The members of a storage that reach files. A view declares its treatment of each in a table over this type. */
export type StorageVerb = Exclude<
  keyof Storage,
  'ignoresCaseAt' | 'toPlace' | 'fromPlace' | 'guarded' | 'close'
>;

/**
 * A storage in front of another one. Every call that reaches files is checked by {@link StorageView.authorize}, which each
 * view implements, so that no member can be forgotten. A view overrides the members whose arguments or results it changes.
 */
export abstract class StorageView implements Storage {
  /** The storage behind this one. Calls that reach files go through {@link StorageView.run} and {@link StorageView.stream}. */
  protected abstract readonly inner: Storage;

  /** Called before every call that reaches files. Throws to refuse it. */
  protected abstract authorize(verb: StorageVerb, paths: readonly VirtualPath[]): void | Promise<void>;

  /** Makes one call on the storage behind this one. */
  protected async run<T>(
    verb: StorageVerb,
    paths: readonly VirtualPath[],
    work: (storage: Storage) => Promise<T>,
  ): Promise<T> {
    const checking = this.authorize(verb, paths);
    if (checking !== undefined) await checking;
    return work(this.inner);
  }

  /** As {@link run}, for calls that return several values; checked when the first one is requested. */
  protected async *stream<T>(
    verb: StorageVerb,
    paths: readonly VirtualPath[],
    work: (storage: Storage) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const checking = this.authorize(verb, paths);
    if (checking !== undefined) await checking;
    yield* work(this.inner);
  }

  /** The same view of `storage`, whose root is `path` of the storage behind this one. */
  protected abstract wrap(storage: Storage, path: VirtualPath): Storage;

  stat(path: VirtualPath): Promise<Entry | null> {
    return this.run('stat', [path], (storage) => storage.stat(path));
  }

  list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    return this.run('list', [path], (storage) => storage.list(path, options));
  }

  statOrList(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<StatOrList | null> {
    return this.run('statOrList', [path], (storage) => storage.statOrList(path, options));
  }

  observe(path: VirtualPath, observer: FolderObserver): Promise<FolderObservation> {
    return this.run('observe', [path], (storage) => storage.observe(path, observer));
  }

  openFile(path: VirtualPath, options?: OpenFileOptions): Promise<OpenFile> {
    return this.run('openFile', [path], (storage) => storage.openFile(path, options));
  }

  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    return this.run('write', [path], (storage) => storage.write(path, source, options));
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    // Throws for an invalid name before the first call.
    this.inner.partial(path, options);
    const run = <T>(target: VirtualPath, work: (file: PartialFile) => Promise<T>): Promise<T> =>
      this.run('partial', [target], (storage) => work(storage.partial(path, options)));
    return {
      create: (given) => run(path, (file) => file.create(given)),
      size: () => run(path, (file) => file.size()),
      read: (start, end) => run(path, (file) => file.read(start, end)),
      append: (source, given) => run(path, (file) => file.append(source, given)),
      publish: (size, given) => run(path, (file) => file.publish(size, given)),
      moveTo: (target) => run(target, (file) => file.moveTo(target)),
      discard: () => run(path, (file) => file.discard()),
    };
  }

  createFolder(path: VirtualPath): Promise<void> {
    return this.run('createFolder', [path], (storage) => storage.createFolder(path));
  }

  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('move', [from, to], (storage) => storage.move(from, to, options));
  }

  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('copy', [from, to], (storage) => storage.copy(from, to, options));
  }

  remove(path: VirtualPath, options?: RemoveOptions): Promise<readonly KeptEntry[]> {
    return this.run('remove', [path], (storage) => storage.remove(path, options));
  }

  walk(path: VirtualPath, options?: WalkOptions): AsyncIterable<{ path: VirtualPath; entry: Entry }> {
    return this.stream('walk', [path], (storage) => storage.walk(path, options));
  }

  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array> {
    const paths = members.map(({ path }) => path);
    return this.stream('pack', paths, (storage) => storage.pack(members, options));
  }

  find(path: VirtualPath, options: FindOptions): AsyncIterable<readonly FoundEntry[]> {
    return this.stream('find', [path], (storage) => storage.find(path, options));
  }

  usage(path: VirtualPath): Promise<DiskUsage> {
    return this.run('usage', [path], (storage) => storage.usage(path));
  }

  async kept(entry: KeptEntry): Promise<Storage> {
    const path = this.placeOf(entry);
    // The root of the storage of a kept file contains the file.
    const root = entry.kind === 'folder' ? path : parentOf(path);
    return this.run('kept', [path], async (storage) => this.wrap(await storage.kept(entry), root));
  }

  async restore(entry: KeptEntry, to: VirtualPath, options: RestoreOptions): Promise<void> {
    const path = this.placeOf(entry);
    return this.run('restore', [path, to], (storage) => storage.restore(entry, to, options));
  }

  async purge(entries: readonly KeptEntry[], options?: PurgeOptions): Promise<PurgeResult> {
    const paths = entries.map((entry) => this.placeOf(entry));
    return this.run('purge', paths, (storage) => storage.purge(entries, options));
  }

  stores(options?: StoresOptions): Promise<readonly StoreReport[]> {
    return this.run('stores', [], (storage) => storage.stores(options));
  }

  ledger(store: VirtualPath, options?: LedgerOptions): AsyncIterable<LedgerRecord> {
    return this.stream('ledger', [], (storage) => storage.ledger(store, options));
  }

  record(note: KeptNote): Promise<readonly VirtualPath[]> {
    return this.run('record', [], (storage) => storage.record(note));
  }

  compact(store: VirtualPath, position: string, options?: { readonly signal?: AbortSignal }): Promise<void> {
    return this.run('compact', [], (storage) => storage.compact(store, position, options));
  }

  toPlace(path: VirtualPath): VirtualPath {
    return this.inner.toPlace(path);
  }

  fromPlace(place: VirtualPath): VirtualPath | null {
    return this.inner.fromPlace(place);
  }

  /** The original path of a kept entry in this storage. Throws `not_found` when it is outside. */
  protected placeOf({ place }: KeptEntry): VirtualPath {
    const path = this.fromPlace(place);
    if (path === null || path === rootPath) throw new AppError('not_found');
    return path;
  }

  ignoresCaseAt(path: VirtualPath): boolean {
    return this.inner.ignoresCaseAt(path);
  }

  within(path: VirtualPath): Promise<Storage> {
    return this.run('within', [path], async (storage) => this.wrap(await storage.within(path), path));
  }

  guarded(
    assertAllowed: (path: VirtualPath) => void,
    mayDenyBelow?: (path: VirtualPath) => boolean,
  ): Storage {
    return this.wrap(this.inner.guarded(assertAllowed, mayDenyBelow), rootPath);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
