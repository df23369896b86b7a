import type { PermissionName, Permissions } from '@filestead/contract/values/permissions';
import {
  joinPaths,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { filterListing } from './filter-listing.ts';
import type {
  Entry,
  FindOptions,
  FolderListing,
  FoundEntry,
  PackedMember,
  PackOptions,
  PartialFile,
  PartialOptions,
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
  /** There are no rules, so nothing needs to be asked. Left out, it is asked. */
  readonly allowsEverything?: boolean;
  /** Entries whose own name starts with a dot are hidden and refused (docs/reference/filebrowser-api.md §3.3). */
  readonly hideDotfiles: boolean;
  readonly can: Permissions;
  /**
   * Puts what is true now in the place of the other fields; throws when the user may do nothing any more. Awaited right
   * before something that took its time gets its name.
   */
  readonly refresh?: () => Promise<void>;
}

const isDotfile = (path: VirtualPath): boolean => nameOf(path).startsWith('.');

/** The permission that each verb needs. Null for verbs that need none, and for writes, whose permission depends on the file. */
const permissions: Readonly<Record<StorageVerb, PermissionName | null>> = {
  stat: null,
  list: null,
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
};

/**
 * A storage as one user may use it. What rules or permissions deny is `forbidden`, whether or not it exists. Rules are
 * asked about the path that was named and about the place where it really lies, and about everything below it before a
 * tree is changed or copied.
 */
class NarrowStorage extends StorageView {
  protected readonly inner: Storage;
  readonly #access: Access;
  /** Where this storage lies in the one that the rules are written for. */
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
    this.#check(...paths);
    const permission = permissions[verb];
    if (permission !== null) this.#need(permission);
  }

  #isAllowed(path: VirtualPath): boolean {
    const { allows, allowsEverything, hideDotfiles } = this.#access;
    const whole = joinPaths(this.#prefix, path);
    return !(hideDotfiles && isDotfile(whole)) && (allowsEverything === true || allows(whole));
  }

  #check(...paths: VirtualPath[]): void {
    for (const path of paths) if (!this.#isAllowed(path)) throw new AppError('forbidden');
  }

  #need(permission: PermissionName): void {
    if (!this.#access.can[permission]) throw new AppError('forbidden');
  }

  /** Making a file needs another permission than changing one; which it will be may show at the end only. */
  #mayWrite(path: VirtualPath, mode: WriteOptions['mode']): void {
    this.#check(path);
    if (mode === 'create' || !this.#access.can.modify) this.#need('create');
    if (mode === 'replace') this.#need('modify');
  }

  /** Asks for the permission that what is there now calls for, and then what was to be asked anyway. */
  #confirmed({ confirm }: Pick<WriteOptions, 'confirm'>): (current: Entry | null) => void {
    return (current) => {
      this.#need(current === null ? 'create' : 'modify');
      confirm?.(current);
    };
  }

  /** Asks once more, by the rights of now, for what `mayStill` asks and for the real places of `paths`. */
  #askedAgain(mayStill: () => void, ...paths: VirtualPath[]): () => Promise<void> {
    return async () => {
      if (this.#access.refresh === undefined) return;
      await this.#access.refresh();
      mayStill();
      if (this.#access.allowsEverything === true) return;
      // A guard that is put on now, when there may have been no rules before, sees where links lead.
      const guarded = guardedBy(this.inner, this.#access);
      for (const path of paths) await guarded.stat(path);
    };
  }

  override async list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    const listing = await super.list(path, options);
    if (this.#showsEverything) return listing;
    const folder = path === '/' ? '' : path;
    return filterListing(
      listing,
      (name, position) =>
        !listing.refused.has(position) && this.#isAllowed(`${folder}/${name}` as VirtualPath),
    );
  }

  override async write(
    path: VirtualPath,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<Entry> {
    this.#mayWrite(path, options.mode);
    const parents = await this.#parents(path, options.createParents);
    return super.write(path, source, {
      ...options,
      ...parents,
      confirm: this.#confirmed(options),
      beforePublish: this.#askedAgain(() => this.#mayWrite(path, options.mode), path),
    });
  }

  override partial(path: VirtualPath, options: PartialOptions): PartialFile {
    const file = this.inner.partial(path, options);
    const mayWrite = async (): Promise<void> => this.#mayWrite(path, options.mode);
    return {
      create: async (given) => {
        await mayWrite();
        const parents = await this.#parents(path, given.createParents);
        await file.create({ ...given, ...parents, confirm: this.#confirmed(given) });
      },
      size: async () => {
        await mayWrite();
        return file.size();
      },
      append: async (source, given) => {
        await mayWrite();
        await file.append(source, given);
      },
      publish: async (size, given) => {
        await mayWrite();
        return file.publish(size, {
          ...given,
          confirm: this.#confirmed(given),
          beforePublish: this.#askedAgain(() => this.#mayWrite(path, options.mode), path),
        });
      },
      moveTo: async (target) => {
        this.#mayWrite(target, options.mode);
        await this.#parents(target, true);
        await file.moveTo(target);
      },
      discard: async () => {
        await mayWrite();
        await file.discard();
      },
    };
  }

  override createFolder(path: VirtualPath): Promise<void> {
    return this.run('createFolder', [path], async (storage) => {
      await this.#parents(path, true);
      await storage.createFolder(path);
    });
  }

  override move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('move', [from, to], async (storage) =>
      storage.move(from, to, await this.#transfer(from, to, 'move', options)),
    );
  }

  override copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    return this.run('copy', [from, to], async (storage) =>
      storage.copy(from, to, await this.#transfer(from, to, 'copy', options)),
    );
  }

  override walk(
    path: VirtualPath,
    options: WalkOptions = {},
  ): AsyncIterable<{ path: VirtualPath; entry: Entry }> {
    return super.walk(path, this.#accepting(options));
  }

  override async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    yield* super.pack(members, this.#showsEverything ? options : this.#accepting(options));
  }

  override async *find(path: VirtualPath, options: FindOptions): AsyncGenerator<readonly FoundEntry[]> {
    yield* super.find(path, this.#showsEverything ? options : this.#accepting(options));
  }

  /** Nothing is hidden or denied, so that entries need not be asked about one by one. */
  get #showsEverything(): boolean {
    return this.#access.allowsEverything === true && !this.#access.hideDotfiles;
  }

  /** Leaves out hidden and denied entries, in addition to those that `options` refuse. */
  #accepting<T extends Pick<WalkOptions, 'accept'>>(options: T): T {
    const accept = (path: VirtualPath): boolean => this.#isAllowed(path) && (options.accept?.(path) ?? true);
    return { ...options, accept };
  }

  /** Overwriting what exists changes it. Without that permission the storage itself refuses whatever exists by then. */
  async #transfer(
    from: VirtualPath,
    to: VirtualPath,
    verb: 'move' | 'copy',
    given: TransferOptions,
  ): Promise<TransferOptions> {
    const parents = await this.#parents(to, given.createParents);
    const overwrites = given.overwrite && this.#access.can.modify;
    const mayStill = (): void => {
      this.authorize(verb, [from, to]);
      if (overwrites) this.#need('modify');
    };
    const options = { ...given, ...parents, beforePublish: this.#askedAgain(mayStill, from, to) };
    if (!given.overwrite || overwrites) return options;
    if ((await this.inner.stat(to)) !== null) throw new AppError('forbidden');
    return { ...options, overwrite: false };
  }

  /** Missing parents are made only by those who may create, and never under a hidden name. */
  async #parents(path: VirtualPath, createParents: boolean | undefined): Promise<{ createParents: boolean }> {
    if (createParents !== true || !this.#access.can.create) return { createParents: false };
    if (this.#access.hideDotfiles) {
      for (let parent = parentOf(path); parent !== rootPath; parent = parentOf(parent)) {
        if (isDotfile(parent) && (await this.inner.stat(parent)) === null) throw new AppError('forbidden');
      }
    }
    return { createParents: true };
  }
}

/** The storage with the rules asked about the real place of everything that is reached. */
const guardedBy = (storage: Storage, access: Access): Storage =>
  storage.guarded((place) => {
    if (!access.allows(place)) throw new AppError('forbidden');
  });

/** The same storage as one user may use it: rules, hidden names and permissions applied to every method. */
export function narrowTo(storage: Storage, access: Access): Storage {
  const guarded = access.allowsEverything === true ? storage : guardedBy(storage, access);
  return new NarrowStorage(guarded, access, rootPath);
}
