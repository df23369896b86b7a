import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { type DiskStorageOptions, openDiskParts, openDiskStorageOn } from '../disk/open-disk-storage.ts';
import { readLetterCases } from '../disk/paths/letter-case.ts';
import { isUnavailable, type RootNotice, RootWatch } from './served-root.ts';
import type { Storage } from '../storage.ts';
import { StorageView, type StorageVerb } from './storage-view.ts';

/** Refuses every call while the served folder is not the one at its path; see {@link RootWatch}. */
class WatchedStorage extends StorageView {
  readonly #watch: RootWatch;
  readonly #current: () => Storage;
  readonly #close: () => Promise<void>;

  /** @param current throws `storage_unavailable` for a storage below a root that is no longer served */
  constructor(watch: RootWatch, current: () => Storage, close: () => Promise<void>) {
    super();
    this.#watch = watch;
    this.#current = current;
    this.#close = close;
  }

  protected get inner(): Storage {
    return this.#current();
  }

  protected authorize(): void | Promise<void> {
    return this.#watch.assertAvailable();
  }

  protected override async run<T>(
    _verb: StorageVerb,
    _paths: readonly VirtualPath[],
    work: (storage: Storage) => Promise<T>,
  ): Promise<T> {
    const checking = this.authorize();
    if (checking !== undefined) await checking;
    try {
      return await work(this.inner);
    } catch (error) {
      if (isUnavailable(error)) this.#watch.expireCheck();
      throw error;
    }
  }

  /** A storage below the current root, unavailable as soon as another root is served. */
  protected wrap(storage: Storage): Storage {
    const { generation } = this.#watch;
    const current = (): Storage => {
      if (this.#watch.generation === generation) return storage;
      throw new AppError('storage_unavailable', 'the served folder was replaced by another one');
    };
    return new WatchedStorage(this.#watch, current, () => storage.close());
  }

  override close(): Promise<void> {
    return this.#close();
  }
}

/** Options of {@link openServedStorage}. */
export interface ServedStorageOptions extends DiskStorageOptions {
  /** The data folder. When it disappears together with the root, no other folder is opened. */
  readonly dataFolder: string;
  readonly onNotice: (notice: RootNotice) => void;
  /** The clock in milliseconds; defaults to `performance.now`. */
  readonly now?: () => number;
}

/** The storage of the served folder and the watch that follows it when another folder is mounted or moved to its path. */
export interface ServedStorage {
  readonly storage: Storage;
  readonly watch: RootWatch;
}

/**
 * Opens the storage of a running server: as `openDiskStorage`, but it detects when something is mounted over the root, or the
 * root is unmounted or replaced; calls fail with `storage_unavailable` until the folder is available again. Closing the
 * storage ends the watch.
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
      // Calls in progress end by themselves.
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
