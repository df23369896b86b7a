import type { ErrorCode } from '@filestead/contract/errors';
import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type {
  DiskUsage,
  Entry,
  OpenFile,
  OpenFileOptions,
  PackedMember,
  PackOptions,
  PartialFile,
  StatOrList,
  Storage,
} from '../storage.ts';
import { StorageView, type StorageVerb } from './storage-view.ts';

/** The error with which each verb is refused; null for the verbs that read the file. */
const refusals: Readonly<Record<StorageVerb, ErrorCode | null>> = {
  stat: null,
  statOrList: null,
  openFile: null,
  walk: null,
  pack: null,
  usage: null,
  list: 'not_found',
  find: 'not_found',
  observe: 'not_found',
  within: 'not_found',
  write: 'forbidden',
  partial: 'forbidden',
  createFolder: 'forbidden',
  move: 'forbidden',
  copy: 'forbidden',
  remove: 'forbidden',
  kept: 'forbidden',
  restore: 'forbidden',
  purge: 'forbidden',
  stores: 'forbidden',
  ledger: 'forbidden',
  record: 'forbidden',
  compact: 'forbidden',
};

/** See {@link singleFile}. */
class SingleFileStorage extends StorageView {
  protected readonly inner: Storage;
  /** The path of the file in the other storage. */
  readonly #file: VirtualPath;
  readonly #name: string;
  /** The path of the file in this storage. */
  readonly #path: VirtualPath;
  readonly #assertAllowed: (path: VirtualPath) => void;

  constructor(inner: Storage, file: VirtualPath, name: string, assertAllowed: (path: VirtualPath) => void) {
    super();
    this.inner = inner;
    this.#file = file;
    this.#name = name;
    this.#path = `/${name}` as VirtualPath;
    this.#assertAllowed = assertAllowed;
  }

  protected authorize(verb: StorageVerb): void {
    const code = refusals[verb];
    if (code !== null) throw new AppError(code);
  }

  protected wrap(storage: Storage): Storage {
    return new SingleFileStorage(storage, this.#file, this.#name, this.#assertAllowed);
  }

  /** Checks `path` with the guard. Throws `not_found` for any other path than that of the file. */
  #assertFile(path: VirtualPath): void {
    this.#assertAllowed(path);
    if (path !== this.#path) throw new AppError('not_found');
  }

  override async stat(path: VirtualPath): Promise<Entry | null> {
    this.#assertAllowed(path);
    const entry = path === this.#path ? await this.inner.stat(this.#file) : null;
    return entry && { ...entry, name: this.#name };
  }

  override async statOrList(path: VirtualPath): Promise<StatOrList | null> {
    // The root has no entry, so that it cannot be listed either.
    const entry = await this.stat(path);
    return entry && { entry, listing: null };
  }

  override async openFile(path: VirtualPath, options?: OpenFileOptions): Promise<OpenFile> {
    this.#assertFile(path);
    const file = await this.inner.openFile(this.#file, options);
    return {
      entry: { ...file.entry, name: this.#name },
      fingerprint: file.fingerprint,
      descriptor: file.descriptor,
      read: (buffer, position) => file.read(buffer, position),
      close: () => file.close(),
    };
  }

  override async *walk(path: VirtualPath): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    if (path !== rootPath) throw new AppError('not_a_folder');
    const entry = await this.stat(this.#path);
    if (entry !== null) yield { path: this.#path, entry };
  }

  override async *pack(members: readonly PackedMember[], options: PackOptions): AsyncGenerator<Uint8Array> {
    for (const { path } of members) this.#assertFile(path);
    const found = members.map((member) => ({ ...member, path: this.#file }));
    yield* this.inner.pack(found, { ...options, accept: undefined });
  }

  override ignoresCaseAt(): boolean {
    return this.inner.ignoresCaseAt(this.#file);
  }

  override usage(): Promise<DiskUsage> {
    return this.inner.usage(parentOf(this.#file));
  }

  override guarded(assertAllowed: (path: VirtualPath) => void): Storage {
    return new SingleFileStorage(this.inner, this.#file, this.#name, (path) => {
      this.#assertAllowed(path);
      assertAllowed(path);
    });
  }

  override partial(): PartialFile {
    throw new AppError('forbidden');
  }
}

/**
 * Returns a read-only storage that contains only the file `file` of another storage, under its own name or under `name`.
 * Every other path is `not_found`, including the file's siblings and a listing. Closing it closes the other storage.
 */
export const singleFile = (storage: Storage, file: VirtualPath, name = nameOf(file)): Storage =>
  new SingleFileStorage(storage, file, name, () => undefined);
