import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import {
  batchKinds,
  type Entry,
  type EntryBatch,
  type FindOptions,
  type FolderListing,
  type FoundEntry,
  type OpenFile,
  type PackedMember,
  type PackOptions,
  type PartialFile,
  type Storage,
  type WalkOptions,
} from '../storage.ts';

const goneKind = batchKinds.indexOf('gone');
const invalidLinkKind = batchKinds.indexOf('invalid_link');

/** The batch with links that lead nowhere counted as gone. */
function withoutInvalidLinks(batch: EntryBatch): EntryBatch {
  if (!batch.kinds.includes(invalidLinkKind)) return batch;
  return { ...batch, kinds: batch.kinds.map((kind) => (kind === invalidLinkKind ? goneKind : kind)) };
}

const refuse = (): Promise<never> => Promise.reject(new AppError('forbidden'));

/** See {@link forVisitors}. */
class VisitorStorage implements Storage {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async stat(path: VirtualPath): Promise<Entry | null> {
    const entry = await this.#storage.stat(path);
    return entry?.kind === 'invalid_link' ? null : entry;
  }

  async list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    const listing = await this.#storage.list(path, options);
    return {
      ...listing,
      async *batches() {
        for await (const batch of listing.batches()) yield withoutInvalidLinks(batch);
      },
    };
  }

  openFile(path: VirtualPath): Promise<OpenFile> {
    return this.#storage.openFile(path);
  }

  async *walk(path: VirtualPath, options?: WalkOptions): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    for await (const found of this.#storage.walk(path, options)) {
      if (found.entry.kind !== 'invalid_link') yield found;
    }
  }

  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array> {
    return this.#storage.pack(members, options);
  }

  find(path: VirtualPath, options: FindOptions): AsyncIterable<readonly FoundEntry[]> {
    return this.#storage.find(path, options);
  }

  usage(path: VirtualPath): Promise<{ total: number; used: number }> {
    return this.#storage.usage(path);
  }

  ignoresCaseAt(path: VirtualPath): boolean {
    return this.#storage.ignoresCaseAt(path);
  }

  async within(path: VirtualPath): Promise<Storage> {
    return new VisitorStorage(await this.#storage.within(path));
  }

  guarded(admit: (place: VirtualPath) => void): Storage {
    return new VisitorStorage(this.#storage.guarded(admit));
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
 * The storage as visitors of a link may see it: nothing can be changed (`forbidden`), and links that cannot be followed
 * look as if they were not there. A link that leads out of what was shared is one of them.
 */
export const forVisitors = (storage: Storage): Storage => new VisitorStorage(storage);
