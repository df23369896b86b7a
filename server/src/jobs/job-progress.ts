import type { checksumAlgorithms } from '@filestead/contract/files';
import type { JobKind, JobState } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Entry } from '../storage/storage.ts';
import type { CompressTarget } from './compress-target.ts';
import type { PlannedItem } from './plan-items.ts';

/** The part of a request that is stored with its job, besides the items. */
export interface StoredRequest {
  readonly kind: JobKind;
  readonly algorithm: (typeof checksumAlgorithms)[number];
  /** Whether a deletion removes forever. */
  readonly isPermanent: boolean;
  /** Whether a deletion copies entries to the trash that cannot be moved there. Absent in jobs of earlier versions. */
  readonly copiesToTrash?: boolean;
  /** Whether a deletion removes nothing that the trash does not keep. Absent in jobs of earlier versions. */
  readonly isKeepingRequired?: boolean;
  /** The destination of a restoration; null for other jobs. */
  readonly restoreTarget: RestoreTarget | null;
  /** The archive that a compression creates. Absent in jobs of earlier versions, null for other jobs. */
  readonly compressTarget?: CompressTarget | null;
  /** The operation that the job undoes. Absent in jobs of earlier versions. */
  readonly undoes?: string | null;
  /** The folder that is searched for duplicates. Absent in jobs of earlier versions. */
  readonly folder?: VirtualPath | null;
}

/** The destination of restored entries, and the answer to an existing name. */
export interface RestoreTarget {
  /** Null restores each entry to its original place. */
  readonly to: VirtualPath | null;
  readonly conflict: 'rename' | 'replace' | 'skip';
  /** Whether the shares of the entries work again. Absent in jobs of earlier versions, where they do. */
  readonly resumesLinks?: boolean;
}

/** The item that was being processed when the progress was stored, recorded before its first effect. */
export interface BegunItem {
  readonly index: number;
  /** The final destination of a copy, move, extraction or compression; null for other jobs. */
  readonly to: VirtualPath | null;
  /** Whether the destination existed, so that it is replaced or merged with. */
  readonly destinationExisted: boolean;
  /** Kind, bytes and modification time (Unix nanoseconds) of the source. */
  readonly source: { readonly kind: Entry['kind']; readonly size: number; readonly modifiedNs: string };
  /** The name under which the copy of a folder grows. */
  readonly temporaryName: string;
  /** The inode of the complete copy of a folder that a move to another file system is about to give its name. */
  readonly copiedInode?: string;
}

/**
 * Returns the record of a begun item of which the source does not matter after an interruption.
 * @param size bytes of a new archive
 */
export const begunWithoutSource = (index: number, to: VirtualPath | null, size = 0): BegunItem => ({
  index,
  to,
  destinationExisted: false,
  source: { kind: 'file', size, modifiedNs: '0' },
  temporaryName: '',
});

/** The state of a job as it is stored. Times in Unix milliseconds. */
export interface JobProgress {
  readonly state: JobState;
  readonly startedAt: number | null;
  readonly resumedAt: number | null;
  readonly endedAt: number | null;
  /** Number of the run of the server in which the job runs, beginning with 1. */
  readonly attempt: number;
  /** Number of consecutive runs of the server that ended without progress of the job. */
  readonly stalledAttempts: number;
  /** The position of the first item that is not complete. */
  readonly nextItem: number;
  readonly begunItem: BegunItem | null;
  readonly doneItems: number;
  readonly failedItems: number;
  readonly entriesDone: number;
  readonly entriesTotal: number | null;
  readonly bytesDone: number;
  readonly bytesTotal: number | null;
  /** `entriesDone` and `bytesDone` when the item `nextItem` began. */
  readonly entriesBefore: number;
  readonly bytesBefore: number;
  readonly resultCount: number;
}

/** One item in the database, with the fields of {@link PlannedItem}. */
type StoredItem = readonly [
  index: number,
  from: VirtualPath,
  isFolderPath: 0 | 1,
  to: VirtualPath | null,
  overwrite: 0 | 1,
  picksFreeName: 0 | 1,
  trashItem?: string | null,
  step?: number,
];

/** Returns an item as it is stored. */
export const toStoredItem = ({
  index,
  from,
  to,
  overwrite,
  picksFreeName,
  trashItem,
  step,
}: PlannedItem): StoredItem => [
  index,
  from.path,
  from.isFolderPath ? 1 : 0,
  to,
  overwrite ? 1 : 0,
  picksFreeName ? 1 : 0,
  ...(step !== undefined
    ? ([null, step] as const)
    : trashItem === undefined
      ? ([] as const)
      : ([trashItem] as const)),
];

/** Returns the item of a stored one. Only parsed paths are stored. */
export function fromStoredItem(stored: unknown): PlannedItem {
  const [index, from, isFolderPath, to, overwrite, picksFreeName, trashItem, step] = stored as StoredItem;
  return {
    index,
    from: { path: from, isFolderPath: isFolderPath === 1 },
    to,
    overwrite: overwrite === 1,
    picksFreeName: picksFreeName === 1,
    ...(trashItem === undefined || trashItem === null ? {} : { trashItem }),
    ...(step === undefined ? {} : { step }),
  };
}
