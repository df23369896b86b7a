import type { RewindReport, RewindRequest } from '@filestead/contract/endpoints/operations';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** Functions of the surrounding application that the history uses. */
export interface HistoryHost {
  readonly username: string;
  /** Whether the changes of other users are listed too. */
  readonly isAdministrator: boolean;
  /** Undoes an operation after telling what stays, reports the result, and returns whether something has changed. Throws nothing. */
  readonly undo: (id: string) => Promise<boolean>;
  /** Counts what a rewind would do. Throws `ApiError`. */
  readonly countRewind: (request: RewindRequest, signal: AbortSignal) => Promise<RewindReport>;
  /** Takes a folder back by a job, and reports the result at its end. Resolves when the job was started. Throws `ApiError`. */
  readonly rewind: (request: RewindRequest) => Promise<void>;
  /** Shows an entry in its folder. */
  readonly reveal: (path: VirtualPath) => void;
  /** Returns the reason of a failure and what to do about it. */
  readonly reasonOf: (error: unknown) => string;
}
