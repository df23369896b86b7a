import type { KeepProblem } from '@filestead/contract/endpoints/storage';
import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { EntryKind } from '../entry-kind.ts';

/** The operation that deleted or replaced an entry. It is written into the record of every entry that the call keeps. */
export interface KeepCause {
  /** Identifies the request or job; the same for all entries that it keeps. */
  readonly operation: string;
  readonly act: 'delete' | 'upload' | 'save' | 'copy' | 'move' | 'restore';
  readonly userId: number | null;
  readonly session: string | null;
  /** Unix milliseconds. */
  readonly time: number;
}

/**
 * An entry that was deleted or replaced and is still on its disk, in the store of its volume. Plain JSON. All paths are
 * those of the outermost storage (the served root), also in the storages of `within` and of users.
 */
export interface KeptEntry {
  /** 128 random bits as base64url. */
  readonly id: string;
  /** The folder that contains the store. */
  readonly store: VirtualPath;
  /** The folder of the store that contains the entry: the UTC hour in which it was kept, such as `2026-11-21T10`. */
  readonly folder: string;
  /** Its name in that folder. */
  readonly storedName: string;
  /** Its original path, links resolved. */
  readonly place: VirtualPath;
  /** A symbolic link is an `invalid_link`, because links are not followed in a store. */
  readonly kind: EntryKind;
  /** Bytes; null for a folder, which is not measured. */
  readonly size: number | null;
  /** Modification time in Unix nanoseconds, as decimal digits. */
  readonly modifiedNs: string;
  /** Unix milliseconds. */
  readonly keptAt: number;
  readonly cause: KeepCause;
}

/** The state of a file that is about to be replaced. */
export interface ReplacedState extends Pick<KeptEntry, 'kind'> {
  /** Its last name. */
  readonly name: string;
  /** Its path in the outermost storage. */
  readonly place: VirtualPath;
  /** Bytes. */
  readonly size: number;
  readonly modifiedNs: bigint;
}

/**
 * One entry that a merge of two folders has changed. Contents of a new folder are not listed one by one. Paths are those of
 * the outermost storage.
 */
export interface MergedEntry {
  /**
   * `merged`: an existing folder whose contents follow, the first of them the destination itself; `removed`: a folder of the
   * source, because its entries were moved.
   */
  readonly act: 'created' | 'moved' | 'removed' | 'merged';
  /** The path of the entry; the former one if it was removed. */
  readonly path: VirtualPath;
  /** The former path of a moved entry; null for others. */
  readonly from: VirtualPath | null;
}

/** Options of verbs that delete or replace entries. */
export interface KeepOptions {
  /** Moves entries that lose their name into the store of their volume; null or absent removes them. */
  readonly keep?: KeepCause | null | undefined;
  /** Returns whether the former state of a replaced file is kept; by default each is. Not called for deleted entries. */
  readonly accepts?: ((state: ReplacedState) => boolean) | undefined;
  /** Whether a file is replaced even if its former state cannot be kept; by default `cannot_keep` is thrown. */
  readonly losesUnkept?: boolean | undefined;
  /** Called with the entries that were kept, also when the verb fails later. */
  readonly onKept?: ((entries: readonly KeptEntry[]) => void) | undefined;
  /** Called with each entry that a merge of a folder into an existing one has changed, after the replaced entry was kept. */
  readonly onMerged?: ((entry: MergedEntry) => void) | undefined;
  /** Called after a file or link was replaced without being kept, with its path in the outermost storage. */
  readonly onLost?: ((place: VirtualPath) => void) | undefined;
  /** Called with each missing parent folder that was created, the highest first, with its path in the outermost storage. */
  readonly onParent?: ((place: VirtualPath) => void) | undefined;
}

/** Options of `Storage.restore`. */
export interface RestoreOptions extends KeepOptions {
  /** `replace` replaces a file and merges a folder into an existing one. */
  readonly conflict: 'fail' | 'replace';
  /** Whether missing parent folders are created. */
  readonly createParents: boolean;
  /** Awaited once, after all checks and before any change; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Storage.purge`. */
export interface PurgeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called at intervals with the number of names that were removed. */
  readonly onProgress?: ((done: { readonly entries: number }) => void) | undefined;
  /** Called after some names were removed, with their number. The purge continues when its promise resolves. */
  readonly pace?: ((names: number) => Promise<void> | undefined) | undefined;
}

/** The outcome of `Storage.purge`. */
export interface PurgeResult {
  /** The ids that no longer exist. */
  readonly purged: readonly string[];
  /** The ids of which a part could not be removed now. They stay doomed and may be purged again. */
  readonly failed: readonly { readonly id: string; readonly code: ErrorCode }[];
}

/** Options of `Storage.stores`. */
export interface StoresOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether only the volumes are measured: the numbers of entries and records are 0 then. */
  readonly isBrief?: boolean | undefined;
}

/** The state of one store. */
export interface StoreReport {
  /** The folder that contains the store. */
  readonly store: VirtualPath;
  /** Identifies the file system of the volume, as in {@link DiskUsage}; empty if it is unknown. */
  readonly fileSystem: string;
  /** The total size of the volume, and the part that users can fill (bytes). */
  readonly total: number;
  readonly free: number;
  /** The number of files and folders that the volume can contain, and that can still be added; null if it is not limited. */
  readonly names: { readonly total: number; readonly free: number } | null;
  /** Entries in the store, and the bytes of those that are files. Contents of kept folders are not counted. */
  readonly entries: number;
  readonly fileBytes: number;
  /** Entries that no record describes. */
  readonly withoutRecord: number;
  /** Records whose entry no longer exists. */
  readonly withoutEntry: number;
  /** Lines of the ledger that are not valid records and were skipped. */
  readonly damaged: number;
  /** The reason why nothing can be kept on this volume; null normally. */
  readonly problem: KeepProblem | null;
  /** The reason why the last entry of this volume could not be kept; null if it was kept. */
  readonly refusal: KeepProblem | null;
  /** Stores of other installations on this volume. */
  readonly foreign: number;
}

/** The counts of a store that does not exist or was not read. */
export const nothingCounted = {
  entries: 0,
  fileBytes: 0,
  withoutRecord: 0,
  withoutEntry: 0,
  damaged: 0,
  foreign: 0,
} as const satisfies Partial<StoreReport>;

/** The label and the protection that users have given to a version. */
export interface VersionAnnotation {
  readonly label: string | null;
  /** Whether it is kept without a time limit. */
  readonly keepsForever: boolean;
}

/** The rename or move of an entry with kept entries below its path. Paths are those of the outermost storage. */
export interface RecordedMove {
  readonly from: VirtualPath;
  readonly to: VirtualPath;
  /** Increases with every move, so that one that is known already is not applied again. */
  readonly number: number;
}

/** A record of a change that moves no kept entry. */
export type KeptNote =
  | ({ readonly kind: 'annotation'; readonly entry: KeptEntry } & VersionAnnotation)
  | ({ readonly kind: 'move' } & RecordedMove);

/** Options of `Storage.ledger`. */
export interface LedgerOptions {
  /** Continues after this position of the store; all records by default. */
  readonly since?: string | undefined;
  /** Whether records of entries are included that are no longer in the store. */
  readonly includesPast?: boolean | undefined;
}

/** One line of the ledger of a store. */
export type LedgerRecord = {
  /** Continues after this record when it is passed to `Storage.ledger`. */
  readonly position: string;
} & (
  | {
      /** `keep`: the entry is in the store; `past`: it was restored or removed, or was never moved. */
      readonly kind: 'keep' | 'past';
      readonly entry: KeptEntry;
    }
  | {
      /** `doom`: its removal has been decided; `end`: it was restored or removed, or was never moved. */
      readonly kind: 'doom' | 'end';
      readonly id: string;
    }
  | {
      /** The entry was about to be restored to this path of the outermost storage. An `end` follows if it was. */
      readonly kind: 'restore';
      readonly id: string;
      readonly to: VirtualPath;
    }
  | ({ readonly kind: 'annotation'; readonly id: string } & VersionAnnotation)
  | ({ readonly kind: 'move' } & RecordedMove)
);
