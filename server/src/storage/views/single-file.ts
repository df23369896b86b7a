import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type {
  Entry,
  FolderListing,
  FoundEntry,
  OpenFile,
  OpenFileOptions,
  PackedMember,
  PackOptions,
  PartialFile,
  StatOrList,
  Storage,
} from '../storage.ts';

const forbid = (): Promise<never> => Promise.reject(new AppError('forbidden'));
const notFound = (): Promise<never> => Promise.reject(new AppError('not_found'));

/** See {@link singleFile}. */
class SingleFileStorage implements Storage {
  readonly #storage: Storage;
  readonly #file: VirtualPath;
  readonly #path: VirtualPath;
  readonly #assertAllowed: (path: VirtualPath) => void;

  constructor(storage: Storage, file: VirtualPath, assertAllowed: (path: VirtualPath) => void) {
    this.#storage = storage;
    this.#file = file;
    this.#path = `/${nameOf(file)}` as VirtualPath;
    this.#assertAllowed = assertAllowed;
  }

  async stat(path: VirtualPath): Promise<Entry | null> {
    this.#assertAllowed(path);
    return path === this.#path ? this.#storage.stat(this.#file) : null;
  }

  async statOrList(path: VirtualPath): Promise<StatOrList | null> {
    // The root has no entry, so that it cannot be listed either.
    const entry = await this.stat(path);
    return entry && { entry, listing: null };
  }

  async openFile(path: VirtualPath, options?: OpenFileOptions): Promise<OpenFile> {
    this.#assertAllowed(path);
    if (path !== this.#path) throw new AppError('not_found');
    return this.#storage.openFile(this.#file, options);
  }

  async *walk(path: VirtualPath): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    if (path !== rootPath) throw new AppError('not_a_folder');
    const entry = await this.stat(this.#path);
    if (entry !== null) yield { path: this.#path, entry };
  }

  async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    for (const { path } of members) {
      this.#assertAllowed(path);
      if (path !== this.#path) throw new AppError('not_found');
    }
    const found = members.map((member) => ({ ...member, path: this.#file }));
    yield* this.#storage.pack(found, { ...options, accept: undefined });
  }

  ignoresCaseAt(): boolean {
    return this.#storage.ignoresCaseAt(this.#file);
  }

  find(): AsyncIterable<readonly FoundEntry[]> {
    throw new AppError('not_found');
  }

  list(): Promise<FolderListing> {
    return notFound();
  }

  within(): Promise<Storage> {
    return notFound();
  }

  usage(): Promise<{ total: number; used: number }> {
    return this.#storage.usage(parentOf(this.#file));
  }

  guarded(assertAllowed: (path: VirtualPath) => void): Storage {
    return new SingleFileStorage(this.#storage, this.#file, (path) => {
      this.#assertAllowed(path);
      assertAllowed(path);
    });
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  partial(): PartialFile {
    throw new AppError('forbidden');
  }

  write = forbid;
  createFolder = forbid;
  move = forbid;
  copy = forbid;
  remove = forbid;
}

/**
 * A read-only storage that contains only the file `file` of another storage, under its own name. Every other path is
 * `not_found`, including the file's siblings and a listing. Closing it closes the other storage.
 */
export const singleFile = (storage: Storage, file: VirtualPath): Storage =>
  new SingleFileStorage(storage, file, () => undefined);
