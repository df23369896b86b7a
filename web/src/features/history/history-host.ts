import type { RewindReport, RewindRequest } from '@filestead/contract/endpoints/operations';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The functions of the application that the history uses. */
export interface HistoryHost {
  readonly username: string;
  /** Whether the changes of other users are listed too. */
  readonly isAdministrator: boolean;
  /**
   * Undoes an operation, asking first if some of its entries cannot be undone, and reports the result. Returns whether
   * anything has changed. Never throws.
   */
  readonly undo: (id: string) => Promise<boolean>;
  /** Counts the changes that a rewind would undo. Throws `ApiError`. */
  readonly countRewind: (request: RewindRequest, signal: AbortSignal) => Promise<RewindReport>;
  /** Starts the job of a rewind, whose result is reported at its end. Resolves when the job was started. Throws `ApiError`. */
  readonly rewind: (request: RewindRequest) => Promise<void>;
  /** Shows an entry in its folder. */
  readonly reveal: (path: VirtualPath) => void;
  /** Returns the reason of a failure and what to do about it. */
  readonly reasonOf: (error: unknown) => string;
}
