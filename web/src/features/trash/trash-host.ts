import type { RestoreRequest, RestoreResult, TrashItem } from '@filestead/contract/endpoints/trash';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** An item whose name is taken at its destination. */
export interface RestoreConflict {
  readonly item: TrashItem;
  /** The path of the existing entry. */
  readonly path: VirtualPath;
}

/** The choice in a conflict; `cancel` leaves this item and all further ones in the trash. */
export type RestoreChoice = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

export interface RestoreReply {
  readonly choice: RestoreChoice;
  /** Whether it applies to the remaining conflicts too. */
  readonly forRemaining: boolean;
}

/** The signed-in user, as far as the trash needs it. */
export interface TrashUser {
  readonly username: string;
  readonly perm: Permissions;
  readonly singleClick: boolean;
  /** Whether dates are shown exactly instead of short. */
  readonly dateFormat: boolean;
}

/** Functions of the surrounding application that the trash uses. */
export interface TrashHost {
  readonly user: TrashUser;
  readonly isPhone: boolean;
  /** The number of days for which deleted items are kept; 0: without limit. */
  readonly keptDays: number;
  /** Opens a deleted folder, or previews a deleted file. */
  readonly open: (item: TrashItem) => void;
  /** Shows an entry in its folder. */
  readonly reveal: (path: VirtualPath) => void;
  /** Restores items with one request or a job, and updates the shown folders. Throws `ApiError`. */
  readonly restore: (
    request: RestoreRequest,
    items: readonly TrashItem[],
  ) => Promise<readonly RestoreResult[]>;
  /** Deletes shares, given by their hashes. Reports the result; throws nothing. */
  readonly endShares: (hashes: readonly string[]) => Promise<void>;
  /** Asks for the folder into which items are restored. */
  readonly chooseFolder: (items: readonly TrashItem[], onChosen: (folder: VirtualPath) => void) => void;
  readonly askConflict: (conflict: RestoreConflict, remaining: number) => Promise<RestoreReply>;
  /** Notifies of success, with a button that undoes it. */
  readonly notifyWithUndo: (message: string, undo: () => Promise<string | void>) => void;
  /** Returns the reason of a failure and what to do about it. */
  readonly reasonOf: (error: unknown) => string;
  /** Undoes the last action, if it is still offered. */
  readonly undo: () => void;
  /** Repeats the action that was undone last. */
  readonly redo: () => void;
}
