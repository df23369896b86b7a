import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  batchKinds,
  type Entry,
  type EntryBatch,
  type FolderListing,
  type StatOrList,
  type Storage,
  type WalkOptions,
} from '../storage.ts';
import { ReadOnlyStorage } from './read-only.ts';

const goneKind = batchKinds.indexOf('gone');
const invalidLinkKind = batchKinds.indexOf('invalid_link');

/** The batch with invalid links reported as gone. */
function withoutInvalidLinks(batch: EntryBatch): EntryBatch {
  if (!batch.kinds.includes(invalidLinkKind)) return batch;
  return { ...batch, kinds: batch.kinds.map((kind) => (kind === invalidLinkKind ? goneKind : kind)) };
}

const listingWithoutInvalidLinks = (listing: FolderListing): FolderListing => ({
  ...listing,
  async *batches() {
    for await (const batch of listing.batches()) yield withoutInvalidLinks(batch);
  },
});

/** See {@link forVisitors}. */
class VisitorStorage extends ReadOnlyStorage {
  protected override wrap(storage: Storage): Storage {
    return new VisitorStorage(storage);
  }

  override async stat(path: VirtualPath): Promise<Entry | null> {
    const entry = await super.stat(path);
    return entry?.kind === 'invalid_link' ? null : entry;
  }

  override async list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing> {
    return listingWithoutInvalidLinks(await super.list(path, options));
  }

  override async statOrList(
    path: VirtualPath,
    options?: { signal?: AbortSignal },
  ): Promise<StatOrList | null> {
    const found = await super.statOrList(path, options);
    if (found === null || found.entry.kind === 'invalid_link') return null;
    const { entry, listing } = found;
    return { entry, listing: listing && listingWithoutInvalidLinks(listing) };
  }

  override async *walk(
    path: VirtualPath,
    options?: WalkOptions,
  ): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    for await (const found of super.walk(path, options)) {
      if (found.entry.kind !== 'invalid_link') yield found;
    }
  }
}

/**
 * The storage as visitors of a share may use it: read-only (`forbidden` for all other verbs, and for kept entries), and
 * without symbolic links that cannot be followed, including links that lead out of the shared folder.
 */
export const forVisitors = (storage: Storage): Storage => new VisitorStorage(storage);
