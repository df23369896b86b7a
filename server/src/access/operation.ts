import type { OperationKind } from '@filestead/contract/endpoints/operations';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeepCause, KeepOptions, KeptEntry, MergedEntry } from '../storage/kept/kept-entries.ts';
import type { UserContext } from './user-context.ts';

/** The act of an operation that deletes or replaces entries. */
export type KeepAct = KeepCause['act'];

export type { OperationKind };

/** Options of `Storage.remove` that keep what is removed. */
export interface KeepRequest extends KeepOptions {
  readonly keep: KeepCause;
  readonly onKept: (entries: readonly KeptEntry[]) => void;
  /** Whether an entry that cannot be kept is removed forever, instead of refused. */
  readonly losesUnkept: boolean;
  /** Whether an entry that {@link skips} excludes is refused as well. */
  readonly isRequired: boolean;
  /** Whether an entry at this path of the served folder is removed forever, because nothing is kept there. */
  readonly skips: (place: VirtualPath) => boolean;
}

/**
 * A request or job of one user that changes files. It identifies everything that the request keeps: deleted entries and
 * former states of replaced files.
 */
export interface Operation {
  /** 128 random bits as base64url. The header `X-Operation` of the response. */
  readonly id: string;
  readonly kind: OperationKind;
  readonly userContext: UserContext;
  /** The entries that were kept so far. */
  readonly kept: readonly KeptEntry[];
  /** The places of files that were replaced without being kept. */
  readonly lost: ReadonlySet<VirtualPath>;
  /** The operation that this one undoes. */
  readonly undoes: string | null;
  /** The time at which the version was written that the operation restores, copies or deletes (Unix milliseconds); null for other operations. */
  versionAt: number | null;
  /** The number of the logged step that is being undone; null while none is. */
  undoing: number | null;
  /**
   * Returns the entries that merges of folders have changed since the last call. Merges of one operation run one after the
   * other.
   */
  takeMerged(): readonly MergedEntry[];
  /** Returns the parent folders that were created since the last call, the highest first. */
  takeParents(): readonly VirtualPath[];
  /**
   * Returns the options with which a storage keeps the files that it replaces and reports the changes of merges. What is kept
   * is also added to `kept`, the list of one change.
   */
  keepOptions(act: KeepAct, kept?: KeptEntry[]): KeepOptions;
  /**
   * Returns the options with which a storage keeps what it deletes; null when nothing is kept. With `isRequired`, nothing is removed that
   * is not kept: throws `cannot_keep` on a server without a trash. With `isPermanent`, an entry that cannot be kept is removed at once,
   * unless the server delays deletions forever.
   */
  deleteOptions(
    kept?: KeptEntry[],
    options?: { readonly isRequired?: boolean; readonly isPermanent?: boolean },
  ): KeepRequest | null;
}

/** Begins operations. */
export interface Operations {
  /**
   * Begins an operation. With the `id` of a job’s operation, continues that one. `undoes` is the operation that the new one
   * undoes.
   */
  begin(userContext: UserContext, kind: OperationKind, id?: string, undoes?: string | null): Operation;
  /** Whether what is deleted at a place of the served folder is moved to the trash. */
  keepsDeletedAt(place: VirtualPath): boolean;
}

/** The header of responses that identifies the operation of a request. */
export const operationHeader = 'x-operation';
