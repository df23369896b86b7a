import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { OperationKind } from '@filestead/contract/endpoints/operations';
import type { StoredShare } from './stored-share.ts';
import type { NameKey, StoredKept } from './trash-repository.ts';

/**
 * The act of an operation on one entry. `created`: it is new, or was restored from the trash; `replaced`: its former state is
 * kept; `moved`: it was renamed or moved, which may have replaced a file; `deleted`: it is in the trash; `removed`: it is an
 * empty folder that was removed because its content was moved; `parent`: it is a folder that was created because it was missing
 * above another entry; `purged`: it is being deleted forever; `shared`: a share of it was deleted, changed or restored.
 */
export const stepActs = [
  'created',
  'replaced',
  'moved',
  'deleted',
  'removed',
  'parent',
  'purged',
  'shared',
] as const;
/** One of {@link stepActs}. */
export type StepAct = (typeof stepActs)[number];

/** Whether a step counts as a change of an entry. The acts `removed` and `parent` only accompany such changes. */
export const isCounted = ({ act }: { readonly act: StepAct }): boolean =>
  act !== 'removed' && act !== 'parent';

/** The state in which an operation has left an entry. Without the device, whose number differs after a restart. */
export interface LeftState {
  readonly kind: StoredKept['kind'];
  /** Null on storages that have none. */
  readonly inode: string | null;
  /** Bytes. */
  readonly size: number;
  /** Unix nanoseconds as decimal digits; `changedNs` is null on storages without it. */
  readonly modifiedNs: string;
  readonly changedNs: string | null;
}

/** A share without its path, as an operation found or left it. */
export type ShareState = Omit<StoredShare, 'path'>;

/** The share of a step before and after it; null if it did not exist. */
export interface ShareChange {
  readonly before: ShareState | null;
  readonly after: ShareState | null;
}

/** A step that is added to the log. Paths are those of the served root. */
export interface NewStep {
  readonly act: StepAct;
  readonly path: VirtualPath;
  /** The former path of a moved entry; that of an entry that was deleted forever without having been in the trash. */
  readonly from: VirtualPath | null;
  /** The id of the deleted or replaced entry. */
  readonly keptId: string | null;
  /** Null if the entry does not exist afterwards. */
  readonly left: LeftState | null;
  /** The step that this one undoes. */
  readonly undoes: number | null;
  /** Only for the act `shared`. */
  readonly share?: ShareChange | null;
}

/** A step with the current paths of its folders. */
export interface StoredStep extends NewStep {
  readonly id: number;
  readonly operation: string;
  readonly isUndone: boolean;
}

/** A request or job that has changed files. Times in Unix milliseconds. */
export interface StoredOperation {
  readonly id: string;
  readonly userId: number | null;
  readonly session: string | null;
  readonly kind: OperationKind;
  readonly startedAt: number;
  /** Null while it is running. */
  readonly endedAt: number | null;
  /** Number of changed entries. More than there are steps if the limit was reached. */
  readonly total: number;
  /** The operation that this one undoes. */
  readonly undoes: string | null;
  readonly undoneBy: string | null;
  /** The time at which the version was written that the operation restored, copied or deleted; null for other operations. */
  readonly versionAt: number | null;
}

/** A part of an operation that is added to the log. */
export interface OperationPart {
  readonly operation: Omit<StoredOperation, 'total' | 'undoneBy'>;
  readonly steps: readonly NewStep[];
  /** The number of steps that are counted but not stored. */
  readonly unstored: number;
}

/** The position after the last operation of a page. */
export interface OperationPosition {
  readonly startedAt: number;
  readonly id: string;
}

/** Restricts {@link OperationRepository.list}. */
export interface OperationFilter {
  readonly userId?: number | undefined;
  /**
   * Only operations of which a step changed the entry at this path, or moved it away. A folder keeps its operations when it is
   * renamed, a file those under its current name. `keyAt` compares names at a path.
   */
  readonly entry?: { readonly path: VirtualPath; readonly keyAt: (path: VirtualPath) => NameKey } | undefined;
  /** Only operations that began at this time or later. */
  readonly since?: number | undefined;
  /** Continues after this operation. */
  readonly after?: OperationPosition | undefined;
  readonly limit: number;
}

/** An operation with its first step. */
export interface OperationWithStep extends StoredOperation {
  readonly first: StoredStep | null;
}

/** An operation of the list. */
export interface ListedOperation extends OperationWithStep {
  /** The kind of the operation that it undoes. */
  readonly undoesKind: OperationKind | null;
  /** The operation at the beginning of the chain of operations that undo each other; null if this one undoes none. */
  readonly original: OperationWithStep | null;
}

/** The log of operations. Its paths are places of the same tree as those of the trash, and follow moves of folders. */
export interface OperationRepository {
  /** Adds operations and steps; those of a known operation are appended to it. `keyAt` compares names at a path. */
  append(parts: readonly OperationPart[], keyAt: (path: VirtualPath) => NameKey): Promise<void>;
  /** Returns an operation; null if there is none. */
  find(id: string): Promise<ListedOperation | null>;
  /** Returns a page, the latest first. */
  list(filter: OperationFilter): Promise<ListedOperation[]>;
  /** Returns a page of the steps of an operation, the latest first, before the step `before`. */
  steps(
    operation: string,
    options: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<StoredStep[]>;
  /** Returns the ids of the entries that the operation has deleted or replaced, as far as it was logged. */
  loggedKept(operation: string): Promise<ReadonlySet<string>>;
  /** Returns one step; null if there is none. */
  step(id: number): Promise<StoredStep | null>;
  /**
   * Returns the states in which restorations have left the folder at `path`, which they created because it was missing above a restored
   * entry. `keyOf` compares names.
   */
  foldersForRestored(path: VirtualPath, keyOf: NameKey): Promise<LeftState[]>;
  /** Returns whether the chain of steps that `id` undoes, restricted to operations since `since`, has an odd number of steps. */
  isOddSince(id: number, since: number): Promise<boolean>;
  /** Marks the operation as undone by another one, unless it is already. Returns whether it was marked. */
  claim(id: string, undoneBy: string): Promise<boolean>;
  /** Reverts a {@link claim} of an operation that was never logged. */
  release(undoneBy: string): Promise<void>;
  markUndone(step: number): Promise<void>;
  /**
   * Marks operations as ended that an earlier run of the server left running, and reverts the claims of operations that
   * were not logged.
   */
  endInterrupted(): Promise<void>;
  /** Removes operations that began before `before`, at most `limit`. Returns their number. */
  removeBefore(before: number, limit: number): Promise<number>;
}
