import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { segmentsOf } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../../clock.ts';
import { filterChanges } from '../observe/filter-changes.ts';
import { type FolderWatches, retryWatchingMs } from '../observe/folder-watches.ts';
import type { FolderObservation, FolderObserver } from '../storage.ts';
import { isExcludedName } from './paths/exclusions.ts';
import { reportsChanges } from './paths/file-system-types.ts';
import { type Folder, type Identity, identityOf, isSame, type LocatedFolder } from './paths/folder.ts';
import { locate, release, type ScopeRoot } from './paths/locate.ts';
import { toRawPath } from './paths/raw-names.ts';
import { runAsync } from './paths/steps.ts';
import { syscalls } from './paths/syscalls.ts';
import { isReservedName } from './paths/temporary-names.ts';
import { closeTree, openTree } from './trees/open-tree.ts';

/** The interval at which an observed path is checked to lead to the same folder (milliseconds). */
export const identityCheckMs = 5_000;

/** The parts of a disk that observations use. */
export interface ObservedDisk {
  readonly scopeRoot: ScopeRoot;
  readonly watches: FolderWatches;
  readonly clock: Clock;
}

/**
 * Whether the system can watch the open folder. Without descriptors another folder might be watched than the one that was
 * checked.
 */
async function canWatch(folder: Folder): Promise<boolean> {
  if (process.platform !== 'linux' || folder.descriptor < 0) return false;
  return reportsChanges((await syscalls.statfs(toRawPath(folder.base))).type);
}

/** Reads the identity of the folder at `path`; null when there is no folder. */
async function readIdentity(scopeRoot: ScopeRoot, path: VirtualPath): Promise<Identity | null> {
  const resolved = await runAsync(locate(scopeRoot, segmentsOf(path), { leaf: 'follow' }));
  release(scopeRoot, resolved);
  return resolved.stats?.isDirectory() === true ? identityOf(resolved.stats) : null;
}

/** Returns an observer that ignores names that listings of the folder omit. */
function withoutHiddenNames(
  { exclusions, assertAllowed }: ScopeRoot,
  { folder, names }: LocatedFolder,
  observer: FolderObserver,
): FolderObserver {
  const { device, inode } = folder;
  return filterChanges(observer, (name) => {
    if (isReservedName(name) || isExcludedName(exclusions, { device, inode }, name)) return false;
    try {
      assertAllowed?.([...names, name]);
      return true;
    } catch {
      return false;
    }
  });
}

/** A folder that is watched through the operating system. */
class WatchedFolder implements FolderObservation {
  readonly source = 'events';
  readonly #observer: FolderObserver;
  /** Reads the identity of the folder that is now at the path. Throws when there is none or the storage is closed. */
  readonly #readIdentity: () => Promise<Identity | null>;
  readonly #identity: Identity;
  readonly #stops: (() => void)[] = [];
  #isClosed = false;
  #isChecking = false;

  constructor(
    { device, inode }: Folder,
    observer: FolderObserver,
    readCurrent: () => Promise<Identity | null>,
  ) {
    this.#identity = { device, inode };
    this.#observer = observer;
    this.#readIdentity = readCurrent;
  }

  /** Starts the watch; false when the folder cannot be watched. */
  async start(watches: FolderWatches, clock: Clock, { base }: Folder): Promise<boolean> {
    const stop = await watches.open(base, {
      onChange: ({ names, renamed, isMoved }) => {
        if (isMoved) void this.#check();
        if (!this.#isClosed) this.#observer.onChange({ names, renamed });
      },
      onEnd: () => this.#end(),
    });
    if (stop === null) return false;
    // The watch does not report moves of folders above.
    this.#stops.push(
      stop,
      clock.every(identityCheckMs, () => void this.#check()),
    );
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Ends the observation when the path no longer leads to the watched folder. */
  async #check(): Promise<void> {
    if (this.#isChecking || this.#isClosed) return;
    this.#isChecking = true;
    const current = await this.#readIdentity().catch(() => null);
    this.#isChecking = false;
    if (current === null || !isSame(current, this.#identity)) this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.close();
    this.#observer.onEnd();
  }
}

/**
 * `Storage.observe` on a disk. Watches the descriptor of the folder that the confined walk has opened, so that swapped links
 * have no effect. Folders that the system cannot watch are observed by `poll`.
 *
 * @param during makes a call on the storage; throws when it is closed
 */
export async function observeFolder(
  { scopeRoot, watches, clock }: ObservedDisk,
  path: VirtualPath,
  observer: FolderObserver,
  parts: {
    readonly during: <T>(work: () => Promise<T>) => Promise<T>;
    readonly poll: (observer: FolderObserver) => Promise<FolderObservation>;
  },
): Promise<FolderObservation> {
  const opened = await openTree(scopeRoot, path);
  try {
    const filtered = withoutHiddenNames(scopeRoot, opened, observer);
    if (!(await canWatch(opened.folder))) return await parts.poll(filtered);
    const watched = new WatchedFolder(opened.folder, filtered, () =>
      parts.during(() => readIdentity(scopeRoot, path)),
    );
    if (await watched.start(watches, clock, opened.folder)) return watched;
    return await pollUntilRetry(filtered, clock, parts.poll);
  } finally {
    closeTree(scopeRoot, opened.folder);
  }
}

/** Polls a folder that cannot be watched at the moment. The observation ends when watching may be possible again. */
async function pollUntilRetry(
  observer: FolderObserver,
  clock: Clock,
  poll: (observer: FolderObserver) => Promise<FolderObservation>,
): Promise<FolderObservation> {
  const polled = await poll({
    onChange: (change) => observer.onChange(change),
    onEnd: () => {
      cancel();
      observer.onEnd();
    },
  });
  const cancel = clock.after(retryWatchingMs, () => {
    polled.close();
    observer.onEnd();
  });
  return {
    source: polled.source,
    close() {
      cancel();
      polled.close();
    },
  };
}
