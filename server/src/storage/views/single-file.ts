import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type {
  Entry,
  FolderListing,
  FoundEntry,
  OpenFile,
  PackedMember,
  PackOptions,
  PartialFile,
  Storage,
} from '../storage.ts';

const refuse = (): Promise<never> => Promise.reject(new AppError('forbidden'));
const nothingThere = (): Promise<never> => Promise.reject(new AppError('not_found'));

/** See {@link singleFile}. */
class SingleFileStorage implements Storage {
  readonly #storage: Storage;
  readonly #file: VirtualPath;
  readonly #shown: VirtualPath;
  readonly #admit: (place: VirtualPath) => void;

  constructor(storage: Storage, file: VirtualPath, admit: (place: VirtualPath) => void) {
    this.#storage = storage;
    this.#file = file;
    this.#shown = `/${nameOf(file)}` as VirtualPath;
    this.#admit = admit;
  }

  async stat(path: VirtualPath): Promise<Entry | null> {
    this.#admit(path);
    return path === this.#shown ? this.#storage.stat(this.#file) : null;
  }

  async openFile(path: VirtualPath): Promise<OpenFile> {
    this.#admit(path);
    if (path !== this.#shown) throw new AppError('not_found');
    return this.#storage.openFile(this.#file);
  }

  async *walk(path: VirtualPath): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    if (path !== rootPath) throw new AppError('not_a_folder');
    const entry = await this.stat(this.#shown);
    if (entry !== null) yield { path: this.#shown, entry };
  }

  async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    for (const { path } of members) {
      this.#admit(path);
      if (path !== this.#shown) throw new AppError('not_found');
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
    return nothingThere();
  }

  within(): Promise<Storage> {
    return nothingThere();
  }

  usage(): Promise<{ total: number; used: number }> {
    return this.#storage.usage(parentOf(this.#file));
  }

  guarded(admit: (place: VirtualPath) => void): Storage {
    return new SingleFileStorage(this.#storage, this.#file, (place) => {
      this.#admit(place);
      admit(place);
    });
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  partial(): PartialFile {
    throw new AppError('forbidden');
  }

  write = refuse;
  createFolder = refuse;
  move = refuse;
  copy = refuse;
  remove = refuse;
}

/**
 * A storage that holds the one file `file` of another storage, under its own name, and cannot be changed: whatever else
 * is asked for is not there, neither what lies beside the file nor a list of it. Closing it closes the other.
 */
export const singleFile = (storage: Storage, file: VirtualPath): Storage =>
  new SingleFileStorage(storage, file, () => undefined);
