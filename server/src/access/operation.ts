import type { KeepCause, KeepOptions, KeptEntry } from '../storage/kept/kept-entries.ts';
import type { UserContext } from './user-context.ts';

/** The reason for which an operation deletes or replaces entries. */
export type KeepAct = KeepCause['act'];

/** The action that a user requested. */
export type OperationKind = KeepAct;

/** Options of `Storage.remove` that keep what is removed. */
export interface KeepRequest extends KeepOptions {
  readonly keep: KeepCause;
  readonly onKept: (entries: readonly KeptEntry[]) => void;
  /** Whether an entry that cannot be kept is removed forever, instead of refused. */
  readonly losesUnkept: boolean;
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
  /**
   * Returns the options with which a storage keeps the files that it replaces; empty when nothing is kept. What is kept is
   * also added to `kept`, the list of one change.
   */
  keepOptions(act: KeepAct, kept?: KeptEntry[]): KeepOptions;
  /** Returns the options with which a storage keeps what it deletes; null when nothing is kept. */
  deleteOptions(kept?: KeptEntry[]): KeepRequest | null;
}

/** Begins operations. */
export interface Operations {
  /** `id` continues an operation that was interrupted by a restart. */
  begin(userContext: UserContext, kind: OperationKind, id?: string): Operation;
}

/** The header of responses that identifies the operation of a request. */
export const operationHeader = 'x-operation';
