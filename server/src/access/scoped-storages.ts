import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Clock, systemClock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Time after which the folder of a scope is looked up again. An open folder stays the same one even if it is
 * renamed on disk and another folder takes its name.
 */
const freshForMs = 1_000;

interface Opened {
  readonly storage: Promise<Storage>;
  readonly openedAt: number;
  references: number;
  isCurrent: boolean;
}

/** A reference to a shared storage. */
export interface StorageReference {
  readonly storage: Promise<Storage>;
  /** Releases the reference. Call it once, when no further work will be started on the storage. */
  release(): void;
}

/** Storages rooted at scopes, shared by concurrent requests and closed when the last one has finished. */
export interface ScopedStorages {
  acquire(scope: VirtualPath): StorageReference;
}

/** Creates the cache of storages below `root`. The scope `/` is `root` itself, which is never closed here. */
export function openScopedStorages(root: Storage, clock: Clock = systemClock): ScopedStorages {
  const current = new Map<VirtualPath, Opened>();

  const closeUnused = (opened: Opened): void => {
    if (opened.isCurrent || opened.references > 0) return;
    opened.storage.then((storage) => storage.close()).catch(() => undefined);
  };
  const retire = (scope: VirtualPath, opened: Opened): void => {
    if (!opened.isCurrent) return;
    opened.isCurrent = false;
    if (current.get(scope) === opened) current.delete(scope);
    closeUnused(opened);
  };
  const open = (scope: VirtualPath): Opened => {
    const storage = root.within(scope);
    const opened: Opened = { storage, openedAt: clock.now(), references: 0, isCurrent: true };
    current.set(scope, opened);
    storage.catch(() => retire(scope, opened));
    clock.after(freshForMs, () => retire(scope, opened));
    return opened;
  };

  return {
    acquire(scope) {
      if (scope === '/') return { storage: Promise.resolve(root), release: () => undefined };
      let opened = current.get(scope);
      if (opened === undefined || clock.now() - opened.openedAt >= freshForMs) {
        if (opened !== undefined) retire(scope, opened);
        opened = open(scope);
      }
      const acquired = opened;
      acquired.references += 1;
      return {
        storage: acquired.storage,
        release() {
          acquired.references -= 1;
          closeUnused(acquired);
        },
      };
    },
  };
}
