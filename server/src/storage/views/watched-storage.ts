import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { type DiskStorageOptions, openDiskParts, openDiskStorageOn } from '../disk/disk-storage.ts';
import { readLetterCases } from '../disk/paths/letter-case.ts';
import { isUnavailable, type RootNotice, RootWatch } from './served-root.ts';
import type {
  Entry,
  FindOptions,
  FolderListing,
  FoundEntry,
  OpenFile,
  PackedMember,
  PackOptions,
  PartialFile,
  PartialOptions,
  RemoveOptions,
  Storage,
  TransferOptions,
  WalkOptions,
  WriteOptions,
} from '../storage.ts';

/** Answers nothing while the served folder is not what its path leads to; see {@link RootWatch}. */
class WatchedStorage implements Storage {
  readonly #watch: RootWatch;
  readonly #inner: () => Storage;
  readonly #close: () => Promise<void>;

  /** @param inner throws `storage_unavailable` for a storage below a root that is not served any more */
  constructor(watch: RootWatch, inner: () => Storage, close: () => Promise<void>) {
    this.#watch = watch;
    this.#inner = inner;
    this.#close = close;
  }

  async #during<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    const looking = this.#watch.gate();
    if (looking !== undefined) await looking;
    try {
      return await work(this.#inner());
    } catch (error) {
      if (isUnavailable(error)) this.#watch.suspect();
      throw error;
    }
  }

  async *#stream<T>(work: (storage: Storage) => AsyncIterable<T>): AsyncGenerator<T> {
    const looking = this.#watch.gate();
    if (looking !== undefined) await looking;
    yield* work(this.#inner());
  }

  /** A storage below the root as it is now; it ends with it. */
  #bound(storage: Storage): Storage {
    const { generation } = this.#watch;
    const inner = (): Storage => {
      if (this.#watch.generation === generation) return storage;
      throw new AppError('storage_unavailable', 'the served folder was replaced by another one');
    };
    return new WatchedStorage(this.#watch, inner, () => storage.close());
  }

  stat(path: VirtualPath): Promise<Entry | null> {
    return this.#during((storage) => storage.stat(path));
  }

  list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    return this.#during((storage) => storage.list(path, options));
  }

  openFile(path: VirtualPath): Promise<OpenFile> {
    return this.#during((storage) => storage.openFile(path));
  }

  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    return this.#during((storage) => storage.write(path, source, options));
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    const during = <T>(work: (file: PartialFile) => Promise<T>): Promise<T> =>
      this.#during((storage) => work(storage.partial(path, options)));
    // Refuses a foreign name at once.
    this.#inner().partial(path, options);
    return {
      create: (given) => during((file) => file.create(given)),
      size: () => during((file) => file.size()),
      append: (source, given) => during((file) => file.append(source, given)),
      publish: (size, given) => during((file) => file.publish(size, given)),
      moveTo: (to) => during((file) => file.moveTo(to)),
      discard: () => during((file) => file.discard()),
    };
  }

  createFolder(path: VirtualPath): Promise<void> {
    return this.#during((storage) => storage.createFolder(path));
  }

  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.#during((storage) => storage.move(from, to, options));
  }

  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.#during((storage) => storage.copy(from, to, options));
  }

  remove(path: VirtualPath, options?: RemoveOptions): Promise<void> {
    return this.#during((storage) => storage.remove(path, options));
  }

  walk(path: VirtualPath, options?: WalkOptions): AsyncIterable<{ path: VirtualPath; entry: Entry }> {
    return this.#stream((storage) => storage.walk(path, options));
  }

  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array> {
    return this.#stream((storage) => storage.pack(members, options));
  }

  find(path: VirtualPath, options: FindOptions): AsyncIterable<readonly FoundEntry[]> {
    return this.#stream((storage) => storage.find(path, options));
  }

  usage(path: VirtualPath): Promise<{ total: number; used: number }> {
    return this.#during((storage) => storage.usage(path));
  }

  ignoresCaseAt(path: VirtualPath): boolean {
    return this.#inner().ignoresCaseAt(path);
  }

  within(path: VirtualPath): Promise<Storage> {
    return this.#during(async (storage) => this.#bound(await storage.within(path)));
  }

  guarded(admit: (place: VirtualPath) => void): Storage {
    return this.#bound(this.#inner().guarded(admit));
  }

  close(): Promise<void> {
    return this.#close();
  }
}

export interface ServedStorageOptions extends DiskStorageOptions {
  /** The data folder; when it goes away together with the root, nothing is opened anew. */
  readonly dataFolder: string;
  readonly onNotice: (notice: RootNotice) => void;
  /** Milliseconds; the machine's unless given. */
  readonly now?: () => number;
}

/** The served folder, whatever is mounted or put at its path. */
export interface ServedStorage {
  readonly storage: Storage;
  readonly watch: RootWatch;
}

/**
 * Opens the storage of a running server: as `openDiskStorage`, but it notices when the root is mounted over, unmounted or
 * replaced, refuses with `storage_unavailable` meanwhile, and goes on when the right folder is there. Closing the storage
 * ends the watch.
 */
export async function openServedStorage(options: ServedStorageOptions): Promise<ServedStorage> {
  const parts = await openDiskParts(options);
  const letterCases = async (): Promise<DiskStorageOptions> => ({
    ...options,
    letterCases: await readLetterCases(options.root),
  });
  let current = await openDiskStorageOn(options, parts);
  const replaced: Promise<void>[] = [];
  const watch = await RootWatch.open({
    served: options,
    dataFolder: options.dataFolder,
    onNotice: options.onNotice,
    ...(options.now === undefined ? {} : { now: options.now }),
    async reopen() {
      const next = await openDiskStorageOn(await letterCases(), parts);
      // What is under way ends by itself.
      replaced.push(current.close());
      current = next;
    },
  });
  const close = async (): Promise<void> => {
    await Promise.all([...replaced, current.close()]);
    watch.close();
    parts.close();
  };
  return { storage: new WatchedStorage(watch, () => current, close), watch };
}
