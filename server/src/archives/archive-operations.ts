import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveReader } from './reading/open-archive.ts';
import { compressEntries, type CompressEntries } from './writing/compress-entries.ts';
import {
  extractArchive,
  type ExtractArchive,
  removeExtracted,
  withArchive,
} from './writing/extract-archive.ts';

type ReadArchive = Pick<ExtractArchive, 'from' | 'party' | 'signal'>;

/** Returns the functions with which jobs read and create archives. */
export const openArchiveOperations = ({
  reader,
  root,
  assertCreatable,
  now,
}: {
  readonly reader: ArchiveReader;
  /** The storage of the served folder, in which unfinished extractions are removed. */
  readonly root: Storage;
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
  /** Unix milliseconds. */
  readonly now: () => number;
}) => ({
  measure: (storage: Storage, archive: ReadArchive): Promise<{ entries: number; bytes: number }> =>
    withArchive(storage, reader, archive, async ({ index }) => ({
      entries: index.entries.size,
      bytes: index.bytes,
    })),
  extract: (storage: Storage, options: Omit<ExtractArchive, 'now'>): Promise<void> =>
    extractArchive(storage, reader, { ...options, now }),
  async removeExtracted(scope: VirtualPath, options: ReadArchive & { to: VirtualPath }): Promise<void> {
    const storage = await root.within(scope);
    try {
      await removeExtracted(storage, reader, options);
    } finally {
      await storage.close();
    }
  },
  compress: (storage: Storage, options: CompressEntries) => compressEntries(storage, options),
  assertCreatable,
});
