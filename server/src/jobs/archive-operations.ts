import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';
import type { Party } from '../scheduling/party.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { TreeSize } from './measure-tree.ts';

/** An archive that a job reads. */
interface ReadArchive {
  readonly from: VirtualPath;
  readonly party: Party;
  readonly signal: AbortSignal;
}

/** The functions of the archives feature that jobs use; features do not import each other. */
export interface ArchiveOperations {
  /** Returns the number of entries and the bytes of an archive. */
  measure(storage: Storage, archive: ReadArchive): Promise<TreeSize>;
  /** Extracts an archive into the folder `to`, which exists only if the extraction is resumed. */
  extract(
    storage: Storage,
    archive: ReadArchive & {
      readonly to: VirtualPath;
      readonly isResumed: boolean;
      readonly beforeChange: () => Promise<void>;
      readonly onProgress: (done: { entries: number; bytes: number }) => void;
      readonly onSkipped: (path: string, code: ErrorCode) => void;
    },
  ): Promise<void>;
  /** Removes the files of an extraction in the scope `scope` that was cancelled or has failed. */
  removeExtracted(scope: VirtualPath, archive: ReadArchive & { readonly to: VirtualPath }): Promise<void>;
  /** Creates the archive `to`. */
  compress(
    storage: Storage,
    request: {
      readonly paths: readonly VirtualPath[];
      readonly to: VirtualPath;
      readonly format: ArchiveFormat;
      readonly onBytes: (bytes: number) => void;
      readonly beforeChange: () => Promise<void>;
      readonly beforePublish: (size: number) => Promise<void>;
      readonly signal: AbortSignal;
    },
  ): Promise<Entry>;
  /** Throws `invalid_name` when an entry with an invalid name would have to be created for `path`. */
  assertCreatable(storage: Storage, path: VirtualPath): Promise<void>;
}
