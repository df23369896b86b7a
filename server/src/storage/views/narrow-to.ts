import type { PermissionName, Permissions } from '@filestead/contract/values/permissions';
import {
  isAtOrBelow,
  joinPaths,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { filterChanges } from '../observe/filter-changes.ts';
import { filterListing } from './filter-listing.ts';
import type { KeptEntry, RestoreOptions } from '../kept/kept-entries.ts';
import type {
  Entry,
  FindOptions,
  FolderListing,
  FolderObservation,
  FolderObserver,
  FoundEntry,
  PackedMember,
  PackOptions,
  PartialFile,
  PartialOptions,
  StatOrList,
  Storage,
  TransferOptions,
  WalkOptions,
  WriteOptions,
} from '../storage.ts';
import { StorageView, type StorageVerb } from './storage-view.ts';

/** The rules and permissions that narrow a storage to one user. */
export interface Access {
  /** Whether the rules allow `path` (already in its canonical form, seen from the root of the storage). */
  readonly allows: (path: VirtualPath) => boolean;
  /** True when there are no rules, so that `allows` need not be called. */
  readonly allowsEverything?: boolean;
  /**
   * Whether an entry below an allowed folder may be denied; false saves checking a whole tree before it is moved or
   * removed. Without it, every entry is checked.
   */
  readonly mayDenyBelow?: (path: VirtualPath) => boolean;
  /** Entries whose own name starts with a dot are hidden and refused (docs/reference/filebrowser-api.md §3.3). */
  readonly hideDotfiles: boolean;
  readonly can: Permissions;
  /**
   * Updates the other fields to the user's current rules and permissions; throws when the user has lost all access. Awaited
   * right before the result of a long operation is published.
   */
  readonly refresh?: () => Promise<void>;
}

const isDotfile = (path: VirtualPath): boolean => nameOf(path).startsWith('.');

/** The permission that each verb needs. Null for verbs without one, and for writes, whose permission depends on the file. */
const permissions: Readonly<Record<StorageVerb, PermissionName | null>> = {
  stat: null,
  list: null,
  statOrList: null,
  observe: null,
  openFile: 'download',
  write: null,
  partial: null,
  createFolder: 'create',
  move: 'rename',
  copy: 'create',
  remove: 'delete',
  walk: null,
  pack: 'download',
  find: null,
  usage: null,
  within: null,
  kept: null,
  // Depends on the restored entry; see NarrowStorage.restore.
  restore: null,
  purge: 'purge',
  stores: 'admin',
  ledger: 'admin',
  record: 'admin',
  compact: 'admin',
};

/** A storage as one user may use it. */
export interface NarrowedStorage extends Storage {
  /**
   * Throws `forbidden` if the current rules or hidden names deny `path`, or the real path that links lead to. The disk is
   * used only while there are rules.
   */
  assertAllowed(path: VirtualPath): Promise<void>;
  /** Whether the current rules and hidden names allow opening `path` by its address. The disk is not used. */
  isAllowed(path: VirtualPath): boolean;
  /**
   * Whether the listings of `top` and of one folder after the other below it lead to `path`. A rule may allow an entry below a
   * denied folder: the entry can be opened by its address, but no listing from the root leads to it. The disk is not used.
   *
   * @param top the opened folder; nothing below a denied one is shown. By default the root, whose own rules are not considered.
   */
  isShown(path: VirtualPath, top?: VirtualPath): boolean;
  /** Whether nothing is hidden or denied at the moment, so that {@link isShown} is always true. */
  readonly showsEverything: boolean;
}

/**
 * A storage as one user may use it. A denied path is `forbidden`, whether or not it exists. Rules are checked for the
 * requested path and for its real path, and for every entry below it before a tree is changed or copied.
 */
class NarrowStorage extends StorageView implements NarrowedStorage {
  protected readonly inner: Storage;
  readonly #access: Access;
  /** The path of this storage's root in the storage to which the rules refer. */
  readonly #prefix: VirtualPath;

  constructor(inner: Storage, access: Access, prefix: VirtualPath) {
    super();
    this.inner = inner;
    this.#access = access;
    this.#prefix = prefix;
  }

  protected wrap(storage: Storage, path: VirtualPath): Storage {
    return new NarrowStorage(storage, this.#access, joinPaths(this.#prefix, path));
  }

  protected authorize(verb: StorageVerb, paths: readonly VirtualPath[]): void {
    this.#assertAllowed(...paths);
    const permission = permissions[verb];
    if (permission !== null) this.#assertPermission(permission);
  }

  isAllowed(path: VirtualPath): boolean {
    const { allows, allowsEverything, hideDotfiles } = this.#access;
    const whole = joinPaths(this.#prefix, path);
    return !(hideDotfiles && isDotfile(whole)) && (allowsEverything === true || allows(whole));
  }

  #assertAllowed(...paths: VirtualPath[]): void {
    for (const path of paths) if (!this.isAllowed(path)) throw new AppError('forbidden');
  }

  #assertPermission(permission: PermissionName): void {
    if (!this.#access.can[permission]) throw new AppError('forbidden');
  }

  /** Creating a file and changing one need different permissions. For `either`, the one that applies may be known only at the end. */
  #assertMayWrite(path: VirtualPath, mode: WriteOptions['mode']): void {
    this.#assertAllowed(path);
    if (mode === 'create' || !this.#access.can.modify) this.#assertPermission('create');
    if (mode === 'replace') this.#assertPermission('modify');
  }

  /** Returns a `confirm` that checks the permission for the current entry, and then calls the one of the options. */
  #createConfirm({ confirm }: Pick<WriteOptions, 'confirm'>): (current: Entry | null) => void {
    return (current) => {
      this.#assertPermission(current === null ? 'create' : 'modify');
      confirm?.(current);
    };
  }

  /** Returns a check with the user's current permissions: `assertStillAllowed`, and the rules for the real paths of `paths`. */
  #createRecheck(assertStillAllowed: () => void, ...paths: VirtualPath[]): () => Promise<void> {
    return async () => {
      if (this.#access.refresh === undefined) return;
      await this.#access.refresh();
      assertStillAllowed();
      for (const path of paths) await this.#assertRealPathAllowed(path);
    };
  }

  async #assertRealPathAllowed(path: VirtualPath): Promise<void> {
    if (this.#access.allowsEverything === true) return;
    // A new guard, because there may have been no rules when this storage was created.
    await withGuard(this.inner, this.#access).stat(path);
  }

  async assertAllowed(path: VirtualPath): Promise<void> {
    this.#assertAllowed(path);
    await this.#assertRealPathAllowed(path);
  }

  isShown(path: VirtualPath, top: VirtualPath = rootPath): boolean {
    if (!isAtOrBelow(path, top)) return false;
    if (this.showsEverything) return true;
    for (let at = path; at !== rootPath; at = parentOf(at)) {
      if (!this.isAllowed(at)) return false;
      if (at === top) return true;
    }
    return true;
  }

  override async list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    return this.#filtered(path, await super.list(path, options));
  }

  override async statOrList(
    path: VirtualPath,
    options?: { signal?: AbortSignal },
  ): Promise<StatOrList | null> {
    const found = await super.statOrList(path, options);
    if (found === null || found.listing === null || this.showsEverything) return found;
    return { entry: found.entry, listing: await this.#filtered(path, found.listing) };
  }

  override observe(path: VirtualPath, observer: FolderObserver): Promise<FolderObservation> {
    const folder = path === '/' ? '' : path;
    const isAllowed = (name: string): boolean =>
      this.showsEverything || this.isAllowed(`${folder}/${name}` as VirtualPath);
    return super.observe(path, filterChanges(observer, isAllowed));
  }

  /** Leaves out entries that are hidden or denied, and links to denied paths. */
  async #filtered(path: VirtualPath, listing: FolderListing): Promise<FolderListing> {
    if (this.showsEverything) return listing;
    const folder = path === '/' ? '' : path;
    return filterListing(
      listing,
      (name, position) =>
        !listing.refused.has(position) && this.isAllowed(`${folder}/${name}` as VirtualPath),
    );
  }

  override async write(
    path: VirtualPath,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<Entry> {
    this.#assertMayWrite(path, options.mode);
    const parents = await this.#parentOptions(path, options.createParents);
    const checks = {
      confirm: this.#createConfirm(options),
      beforePublish: this.#createRecheck(() => this.#assertMayWrite(path, options.mode), path),
    };
    // Not a spread, for the reason in docs/decisions/0045-objects-of-a-request.md.
    return super.write(path, source, Object.assign({}, options, parents, checks));
  }

  override partial(path: VirtualPath, options: PartialOptions): PartialFile {
    const file = this.inner.partial(path, options);
    const assertMayWrite = async (): Promise<void> => this.#assertMayWrite(path, options.mode);
    return {
      create: async (given) => {
        await assertMayWrite();
        const parents = await this.#parentOptions(path, given.createParents);
        await file.create({ ...given, ...parents, confirm: this.#createConfirm(given) });
      },
      size: async () => {
        await assertMayWrite();
        return file.size();
      },
      read: async (start, end) => {
        await assertMayWrite();
        return file.read(start, end);
      },
      append: async (source, given) => {
        await assertMayWrite();
        await file.append(source, given);
      },
      publish: async (size, given) => {
        await assertMayWrite();
        return file.publish(size, {
          ...given,
          confirm: this.#createConfirm(given),
          beforePublish: this.#createRecheck(() => this.#assertMayWrite(path, options.mode), path),
        });
      },
      moveTo: async (target) => {
        this.#assertMayWrite(target, options.mode);
        await this.#parentOptions(target, true);
        await file.moveTo(target);
      },
      discard: async () => {
        await assertMayWrite();
        await file.discard();
      },
    };
  }

  override createFolder(path: VirtualPath): Promise<void> {
    return this.run('createFolder', [path], async (storage) => {
      await this.#parentOptions(path, true);
      await storage.createFolder(path);
    });
  }

  override move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('move', [from, to], async (storage) =>
      storage.move(from, to, await this.#transferOptions(from, to, 'move', options)),
    );
  }

  override copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('copy', [from, to], async (storage) =>
      storage.copy(from, to, await this.#transferOptions(from, to, 'copy', options)),
    );
  }

  override async restore(entry: KeptEntry, to: VirtualPath, options: RestoreOptions): Promise<void> {
    return this.run('restore', [this.placeOf(entry), to], async (storage) => {
      // Restoring a former state changes a file, unless the file no longer exists.
      const isChange = entry.cause.act !== 'delete' && (await this.inner.stat(to)) !== null;
      this.#assertPermission(isChange ? 'modify' : 'create');
      const parents = await this.#parentOptions(to, options.createParents);
      const replaces = options.conflict === 'replace' && this.#access.can.modify;
      if (options.conflict === 'replace' && !replaces && (await this.inner.stat(to)) !== null)
        throw new AppError('forbidden');
      const conflict = replaces ? 'replace' : 'fail';
      await storage.restore(entry, to, { ...options, ...parents, conflict });
    });
  }

  override walk(
    path: VirtualPath,
    options: WalkOptions = {},
  ): AsyncIterable<{ path: VirtualPath; entry: Entry }> {
    return super.walk(path, this.#withAcceptFilter(options));
  }

  override async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    yield* super.pack(members, this.showsEverything ? options : this.#withAcceptFilter(options));
  }

  override async *find(path: VirtualPath, options: FindOptions): AsyncGenerator<readonly FoundEntry[]> {
    yield* super.find(path, this.showsEverything ? options : this.#withAcceptFilter(options));
  }

  get showsEverything(): boolean {
    return this.#access.allowsEverything === true && !this.#access.hideDotfiles;
  }

  /** Extends the filter of `options`, which then rejects hidden and denied entries too. */
  #withAcceptFilter<T extends Pick<WalkOptions, 'accept'>>(options: T): T {
    const accept = (path: VirtualPath): boolean => this.isAllowed(path) && (options.accept?.(path) ?? true);
    return { ...options, accept };
  }

  /** The options for the inner storage. Overwriting needs _modify_; without it, an entry that exists by then is refused. */
  async #transferOptions(
    from: VirtualPath,
    to: VirtualPath,
    verb: 'move' | 'copy',
    given: TransferOptions,
  ): Promise<TransferOptions> {
    const parents = await this.#parentOptions(to, given.createParents);
    const overwrites = given.overwrite && this.#access.can.modify;
    const assertStillAllowed = (): void => {
      this.authorize(verb, [from, to]);
      if (overwrites) this.#assertPermission('modify');
    };
    const options = {
      ...given,
      ...parents,
      beforePublish: this.#createRecheck(assertStillAllowed, from, to),
    };
    if (!given.overwrite || overwrites) return options;
    if ((await this.inner.stat(to)) !== null) throw new AppError('forbidden');
    return { ...options, overwrite: false };
  }

  /** Missing parents are created only with the permission _create_, and never with a hidden name. */
  async #parentOptions(
    path: VirtualPath,
    createParents: boolean | undefined,
  ): Promise<{ createParents: boolean }> {
    if (createParents !== true || !this.#access.can.create) return { createParents: false };
    if (this.#access.hideDotfiles) {
      for (let parent = parentOf(path); parent !== rootPath; parent = parentOf(parent)) {
        if (isDotfile(parent) && (await this.inner.stat(parent)) === null) throw new AppError('forbidden');
      }
    }
    return { createParents: true };
  }
}

/** The storage with a guard that checks the rules for the real path of every entry. */
const withGuard = (storage: Storage, access: Access): Storage =>
  storage.guarded((realPath) => {
    if (!access.allows(realPath)) throw new AppError('forbidden');
  }, access.mayDenyBelow);

/** The same storage as one user may use it: rules, hidden names and permissions applied to every method. */
export function narrowTo(storage: Storage, access: Access): NarrowedStorage {
  const guarded = access.allowsEverything === true ? storage : withGuard(storage, access);
  return new NarrowStorage(guarded, access, rootPath);
}
