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

/** What narrows a storage to one user. */
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

/**
 * A storage as one user may use it. What rules or permissions deny is `forbidden`, whether or not it exists. Rules are
 * asked about the path that was named and about the place where it really lies, and about everything below it before a
 * tree is changed or copied.
 */
class NarrowStorage implements Storage {
  readonly #storage: Storage;
  readonly #access: Access;
  /** Where this storage lies in the one that the rules are written for. */
  readonly #prefix: VirtualPath;

  constructor(storage: Storage, access: Access, prefix: VirtualPath) {
    this.#storage = storage;
    this.#access = access;
    this.#prefix = prefix;
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
      const guarded = guardedBy(this.#storage, this.#access);
      for (const path of paths) await guarded.stat(path);
    };
  }

  async stat(path: VirtualPath): Promise<Entry | null> {
    this.#check(path);
    return this.#storage.stat(path);
  }

  async list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    this.#check(path);
    const listing = await this.#storage.list(path, options);
    const { allowsEverything, hideDotfiles } = this.#access;
    if (allowsEverything === true && !hideDotfiles) return listing;
    const folder = path === '/' ? '' : path;
    return filterListing(
      listing,
      (name, position) =>
        !listing.refused.has(position) && this.#isAllowed(`${folder}/${name}` as VirtualPath),
    );
  }

  async openFile(path: VirtualPath): Promise<OpenFile> {
    this.#check(path);
    this.#need('download');
    return this.#storage.openFile(path);
  }

  async write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    this.#mayWrite(path, options.mode);
    const parents = await this.#parents(path, options.createParents);
    return this.#storage.write(path, source, {
      ...options,
      ...parents,
      confirm: this.#confirmed(options),
      beforePublish: this.#askedAgain(() => this.#mayWrite(path, options.mode), path),
    });
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    const file = this.#storage.partial(path, options);
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

  async createFolder(path: VirtualPath): Promise<void> {
    this.#check(path);
    this.#need('create');
    await this.#parents(path, true);
    await this.#storage.createFolder(path);
  }

  async move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    this.#check(from, to);
    this.#need('rename');
    await this.#storage.move(from, to, await this.#transfer(from, to, 'rename', options));
  }

  async copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    this.#check(from, to);
    this.#need('create');
    await this.#storage.copy(from, to, await this.#transfer(from, to, 'create', options));
  }

  async remove(path: VirtualPath, options?: RemoveOptions): Promise<void> {
    this.#check(path);
    this.#need('delete');
    await this.#storage.remove(path, options);
  }

  async *walk(
    path: VirtualPath,
    options: WalkOptions = {},
  ): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    this.#check(path);
    const accept = (inner: VirtualPath): boolean =>
      this.#isAllowed(inner) && (options.accept?.(inner) ?? true);
    yield* this.#storage.walk(path, { ...options, accept });
  }

  async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    this.#check(...members.map(({ path }) => path));
    this.#need('download');
    const { allowsEverything, hideDotfiles } = this.#access;
    const asks = allowsEverything !== true || hideDotfiles || options.accept !== undefined;
    const accept = (inner: VirtualPath): boolean =>
      this.#isAllowed(inner) && (options.accept?.(inner) ?? true);
    yield* this.#storage.pack(members, { ...options, accept: asks ? accept : undefined });
  }

  async *find(path: VirtualPath, options: FindOptions): AsyncGenerator<readonly FoundEntry[]> {
    this.#check(path);
    const { allowsEverything, hideDotfiles } = this.#access;
    if (allowsEverything === true && !hideDotfiles) {
      yield* this.#storage.find(path, options);
      return;
    }
    const accept = (inner: VirtualPath): boolean =>
      this.#isAllowed(inner) && (options.accept?.(inner) ?? true);
    yield* this.#storage.find(path, { ...options, accept });
  }

  async usage(path: VirtualPath): Promise<{ total: number; used: number }> {
    this.#check(path);
    return this.#storage.usage(path);
  }

  ignoresCaseAt(path: VirtualPath): boolean {
    return this.#storage.ignoresCaseAt(path);
  }

  async within(path: VirtualPath): Promise<Storage> {
    this.#check(path);
    return new NarrowStorage(await this.#storage.within(path), this.#access, joinPaths(this.#prefix, path));
  }

  guarded(admit: (place: VirtualPath) => void): Storage {
    return new NarrowStorage(this.#storage.guarded(admit), this.#access, this.#prefix);
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  /** Overwriting what exists changes it. Without that permission the storage itself refuses whatever exists by then. */
  async #transfer(
    from: VirtualPath,
    to: VirtualPath,
    permission: PermissionName,
    given: TransferOptions,
  ): Promise<TransferOptions> {
    const parents = await this.#parents(to, given.createParents);
    const overwrites = given.overwrite && this.#access.can.modify;
    const mayStill = (): void => {
      this.#check(from, to);
      this.#need(permission);
      if (overwrites) this.#need('modify');
    };
    const options = { ...given, ...parents, beforePublish: this.#askedAgain(mayStill, from, to) };
    if (!given.overwrite || overwrites) return options;
    if ((await this.#storage.stat(to)) !== null) throw new AppError('forbidden');
    return { ...options, overwrite: false };
  }

  /** Missing parents are made only by those who may create, and never under a hidden name. */
  async #parents(path: VirtualPath, createParents: boolean | undefined): Promise<{ createParents: boolean }> {
    if (createParents !== true || !this.#access.can.create) return { createParents: false };
    if (this.#access.hideDotfiles) {
      for (let parent = parentOf(path); parent !== rootPath; parent = parentOf(parent)) {
        if (isDotfile(parent) && (await this.#storage.stat(parent)) === null) throw new AppError('forbidden');
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
