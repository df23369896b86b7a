import type { KeepProblem } from '@filestead/contract/endpoints/storage';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import { isKeptFolder } from '../../kept/kept-names.ts';
import { toAppError } from '../paths/errors.ts';
import { at, closeFolder, type Folder, isSame, openFolder } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { isSameVolume } from '../paths/mounts.ts';
import { pathOf } from '../paths/path-of.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { isErrno } from '../paths/syscalls.ts';
import { openTree } from '../trees/open-tree.ts';
import { Reservations } from './reservations.ts';
import type { StoredEntry } from './stored-entry.ts';
import { type HourCount, isNotWritable, Store } from './store.ts';
import type { StoreRegistry } from './store-registry.ts';

/** A store is closed after this time without use (milliseconds), so that its disk can be unmounted. */
const idleMs = 5_000;

/** The number of folders whose store is remembered. */
const maxKnownFolders = 10_000;

/** A folder in which an entry is about to lose its name. */
export interface KeepingFolder {
  readonly folder: Folder;
  /** Its real path: names from the root of the outermost storage. */
  readonly names: readonly string[];
}

/** An entry that could not be kept. */
export interface Refusal {
  /** The folder of the entry. */
  readonly place: VirtualPath;
  readonly problem: KeepProblem;
}

interface OpenStore {
  readonly store: Promise<Store>;
  uses: number;
  isForgotten: boolean;
  timer: NodeJS.Timeout | null;
}

/** Closes a store as soon as it is open, whether or not it can be opened. */
const closeStore = ({ store }: OpenStore): Promise<void> =>
  store.then((open) => open.close()).catch(() => undefined);

/** The reason why nothing can be kept, for clients. */
function cannotKeep(error: unknown): AppError {
  if (isAppError(error, 'cannot_keep')) return error;
  const translated = toAppError(error);
  // Nothing can be removed from a read-only disk either.
  if (isErrno(error, 'EROFS')) return new AppError('forbidden', 'the disk is read-only', { cause: error });
  const reason = isErrno(error, 'EXDEV')
    ? 'this file system cannot move the entry into the trash'
    : isAppError(translated, 'storage_full')
      ? 'the disk is full'
      : 'the trash of this disk cannot be written';
  return new AppError('cannot_keep', reason, { cause: error });
}

/** The reason why nothing can be kept, for administrators. */
function problemOf(error: unknown): KeepProblem {
  if (isAppError(error, 'cannot_keep')) return 'foreign_owner';
  if (isErrno(error, 'EROFS')) return 'read_only';
  return isAppError(toAppError(error), 'storage_full') ? 'disk_full' : 'not_writable';
}

/**
 * The stores below the outermost root of a storage. A volume has one store, in its highest folder in which the server may
 * create it; see docs/decisions/0025-one-store-per-volume.md. Shared by all storages below the same root.
 */
export class Stores {
  readonly scopeRoot: ScopeRoot;
  readonly registry: StoreRegistry;
  readonly reservations = new Reservations();
  readonly #open = new Map<VirtualPath, OpenStore>();
  /** The path of the store for a folder, by the identity of the folder. */
  readonly #known = new Map<string, VirtualPath>();
  readonly #hours = new Map<string, HourCount>();
  /** The last refusal on each device on which nothing was kept since. */
  readonly #refusals = new Map<bigint, Refusal>();
  #users = 0;
  #closing: Promise<void> | null = null;

  private constructor(scopeRoot: ScopeRoot, registry: StoreRegistry) {
    this.scopeRoot = scopeRoot;
    this.registry = registry;
  }

  /** Opens the stores below the root of `scopeRoot`. Released like {@link acquire}. */
  static async open(scopeRoot: ScopeRoot, registry: StoreRegistry): Promise<Stores> {
    const root = await openFolder(scopeRoot.confinement, at(scopeRoot.root, '.')).async();
    const stores = new Stores({ ...scopeRoot, root, assertAllowed: undefined }, registry);
    stores.#users = 1;
    return stores;
  }

  /** Counts another user of the stores. */
  acquire(): this {
    this.#users += 1;
    return this;
  }

  /** Closes the stores when nobody uses them. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    for (const [path, open] of this.#open) {
      this.#open.delete(path);
      if (open.timer !== null) clearTimeout(open.timer);
      open.isForgotten = true;
      if (open.uses === 0) await closeStore(open);
    }
    closeFolder(this.scopeRoot.root);
  }

  /** Forgets an open store, which was removed or moved by another program; it is opened again by the next call. */
  #forget(path: VirtualPath): void {
    const open = this.#open.get(path);
    this.reservations.forget(path);
    for (const [folder, known] of this.#known) if (known === path) this.#known.delete(folder);
    if (open === undefined) return;
    this.#open.delete(path);
    open.isForgotten = true;
    if (open.timer !== null) clearTimeout(open.timer);
    if (open.uses === 0) void closeStore(open);
  }

  /**
   * Calls `work` with an open store, which stays open until `work` has ended and for a while after that. A store that is open already
   * is opened anew if another program has moved it away: it would no longer be found after it was closed.
   */
  async #using<T>(
    path: VirtualPath,
    opening: () => Promise<Store>,
    work: (store: Store) => Promise<T>,
    { base, maxAgeMs }: { readonly base?: Folder; readonly maxAgeMs?: number } = {},
  ): Promise<T> {
    const known = this.#open.get(path);
    const current = known ?? { store: opening(), uses: 0, isForgotten: false, timer: null };
    if (known === undefined) this.#open.set(path, current);
    current.uses += 1;
    let isOpen = false;
    try {
      const store = await current.store;
      isOpen = true;
      if (known === undefined || (await store.isInPlace(base, maxAgeMs))) return await work(store);
    } catch (error) {
      // The next call opens it again. So does this one if another call tried, which may not have created the store.
      if (!isOpen && this.#open.get(path) === current) this.#open.delete(path);
      if (isOpen || known === undefined) throw error;
    } finally {
      current.uses -= 1;
      if (current.uses === 0) this.#closeLater(path, current);
    }
    if (this.#open.get(path) === current) this.#forget(path);
    return this.#using(path, opening, work, { ...(base && { base }) });
  }

  /** Closes an unused store after {@link idleMs}; at once if it is forgotten. */
  #closeLater(path: VirtualPath, open: OpenStore): void {
    if (open.isForgotten) {
      void closeStore(open);
      return;
    }
    if (open.timer !== null) {
      open.timer.refresh();
      return;
    }
    open.timer = setTimeout(() => {
      open.timer = null;
      if (open.uses > 0) return;
      if (this.#open.get(path) === open) this.#open.delete(path);
      void closeStore(open);
    }, idleMs);
    open.timer.unref();
  }

  #openIn(base: Folder, path: VirtualPath, create: boolean): Promise<Store> {
    const { confinement } = this.scopeRoot;
    return Store.open(base, { confinement, registry: this.registry, path, create, hours: this.#hours });
  }

  /**
   * Calls `work` with the store that probably keeps an entry at `place`, if it is open: the nearest one above it. Another volume may
   * have been mounted on the way.
   */
  async ifOpen(place: VirtualPath, work: (store: Store) => Promise<void>): Promise<void> {
    let nearest: VirtualPath | null = null;
    for (const path of this.#open.keys()) {
      if (isAtOrBelow(place, path) && path.length > (nearest?.length ?? 0)) nearest = path;
    }
    if (nearest === null) return;
    await this.#using(nearest, () => Promise.reject(new StoreGone()), work);
  }

  /**
   * Calls `work` with the store for entries of a folder, which is created if necessary. `work` throws EXDEV when an entry cannot be
   * renamed into the store; the next lower folder is tried then. Throws `cannot_keep` when no folder is left, and `busy` without file descriptors.
   * @param maxAgeMs see {@link Store.isInPlace}
   */
  async keepFrom<T>(place: KeepingFolder, work: (store: Store) => Promise<T>, maxAgeMs?: number): Promise<T> {
    try {
      const result = await this.#keepFrom(place, work, maxAgeMs);
      this.#refusals.delete(place.folder.device);
      return result;
    } catch (error) {
      if (error instanceof KeepRefused) throw error.error;
      const translated = toAppError(error);
      // A moment without file descriptors says nothing about the disk, and must not lose what could be kept a moment later.
      if (isAppError(translated, 'busy')) throw translated;
      const refused = cannotKeep(error);
      // A folder that its file system cannot rename says nothing about other entries of the disk.
      if (!isErrno(error, 'EXDEV'))
        this.#refusals.set(place.folder.device, {
          place: pathOf(place.names),
          problem: problemOf(error),
        });
      throw refused;
    }
  }

  /** The disks on which the last attempt to keep an entry has failed. */
  get refusals(): readonly Refusal[] {
    return [...this.#refusals.values()];
  }

  async #keepFrom<T>(place: KeepingFolder, work: (store: Store) => Promise<T>, maxAgeMs = 0): Promise<T> {
    const key = `${place.folder.device}:${place.folder.inode}`;
    const known = this.#known.get(key);
    if (known !== undefined && this.#open.has(known) && isAtOrBelow(pathOf(place.names), known)) {
      try {
        return await this.#using(known, () => Promise.reject(new StoreGone()), work, { maxAgeMs });
      } catch (error) {
        if (!(error instanceof StoreGone) && !isErrno(error, 'EXDEV')) throw error;
        if (error instanceof StoreGone) this.#forget(known);
        this.#known.delete(key);
      }
    }
    return this.#keepFromHighest(place, key, work);
  }

  async #keepFromHighest<T>(
    place: KeepingFolder,
    key: string,
    work: (store: Store) => Promise<T>,
  ): Promise<T> {
    const candidates = await this.#candidates(place);
    let last: unknown = null;
    try {
      for (const { folder, names } of candidates) {
        const path = pathOf(names);
        for (let tries = 1; ; tries++) {
          try {
            const opening = (): Promise<Store> => this.#openIn(folder, path, true);
            const result = await this.#using(path, opening, work, { base: folder });
            if (this.#known.size >= maxKnownFolders) this.#known.clear();
            this.#known.set(key, path);
            return result;
          } catch (error) {
            last = error;
            if (!(error instanceof StoreGone) || tries === 2) break;
            this.#forget(path);
          }
        }
        if (!isNotWritable(last) && !isErrno(last, 'EXDEV')) break;
      }
    } finally {
      for (const { folder } of candidates) if (folder !== place.folder) closeFolder(folder);
    }
    throw last;
  }

  /** The folders of the same volume from its top to the folder of `place`, all open: a store may be in each of them. */
  async #candidates({ folder, names }: KeepingFolder): Promise<KeepingFolder[]> {
    const { confinement, root } = this.scopeRoot;
    const path: KeepingFolder[] = [];
    let current = await openFolder(confinement, at(root, '.')).async();
    try {
      path.push({ folder: current, names: [] });
      for (const [depth, name] of names.entries()) {
        current = await openFolder(confinement, at(current, name)).async();
        path.push({ folder: current, names: names.slice(0, depth + 1) });
      }
      if (!isSame(current, folder)) throw new StoreGone();
    } catch (error) {
      for (const { folder: open } of path) closeFolder(open);
      // A link that leads out of the root is on the way, or a folder was moved meanwhile.
      if (error instanceof StoreGone || isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'))
        return [{ folder, names }];
      throw error;
    }
    const top = 1 + path.findLastIndex((above) => !isSameVolume(above.folder, folder));
    for (const above of path.slice(0, top)) closeFolder(above.folder);
    return path.slice(top);
  }

  /** Calls `work` with the store of the folder `path`. Throws ENOENT or `not_found` when there is none, unless it is created. */
  async withStore<T>(
    path: VirtualPath,
    work: (store: Store) => Promise<T>,
    { create = false }: { readonly create?: boolean } = {},
  ): Promise<T> {
    const opening = async (): Promise<Store> => {
      const tree = await openTree(this.scopeRoot, path);
      try {
        return await this.#openIn(tree.folder, path, create);
      } finally {
        if (tree.folder !== this.scopeRoot.root) closeFolder(tree.folder);
      }
    };
    return this.#using(path, opening, work);
  }

  /**
   * Calls `work` with a kept entry. When the folder that contains the store was moved, the other stores are searched. Throws
   * `not_found` when the entry is no longer kept, and `special_file` when something else is in the place of its folder.
   */
  async withStored<T>(entry: KeptEntry, work: (stored: StoredEntry) => Promise<T>): Promise<T> {
    if (!isKeptFolder(entry.folder) || /[/\0]/.test(entry.storedName) || entry.storedName.startsWith('.'))
      throw new AppError('not_found');
    const others = this.registry.stores.map(({ path }) => path as VirtualPath);
    let isSwapped = false;
    for (const path of new Set([entry.store, ...others])) {
      let isFound = false;
      try {
        return await this.withStore(path, async (store) => {
          const folder = await store.folder(entry.folder, { create: false }).catch((error: unknown) => {
            isSwapped ||= isErrno(error, 'ENOTDIR', 'ELOOP');
            throw error;
          });
          const stats = await lstatOrNull(folder, entry.storedName);
          if (stats === null) throw new AppError('not_found');
          isFound = true;
          return work({ store, folder, entry, stats });
        });
      } catch (error) {
        if (isFound || !(isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP') || isAppError(error))) throw error;
      }
    }
    throw new AppError(isSwapped ? 'special_file' : 'not_found');
  }
}

/** Whether `error` means that a folder contains no store, or does not exist. */
export const isNoStore = (error: unknown): boolean =>
  isAppError(toAppError(error), 'not_found', 'not_a_folder', 'external_link');

/** Thrown by work on a store whose folders no longer exist. */
export class StoreGone extends Error {}

/** Thrown by work on a store when another folder would not help; carries the error to report. */
export class KeepRefused extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('the entry cannot be kept');
    this.error = error;
  }
}
