import { create } from 'zustand';
import type { OperationIds, OperationKind } from './undo-operations.ts';

/** The number of actions of a tab that can be undone by key. */
export const undoDepth = 50;

/** Undoes an action in the page, and may return the message that reports it. Throws `ApiError`, `RefusedError`. */
export type Undo = () => Promise<string | void>;

/** An action that can be undone. */
export type UndoEntry =
  | {
      readonly kind: 'operations';
      readonly operations: OperationIds;
      /** The kind of the action before it was undone and redone; absent before that. */
      readonly original?: OperationKind | undefined;
    }
  | {
      readonly kind: 'page';
      readonly run: Undo;
      /** Does it again; absent if that is not offered. */
      readonly redo?: Undo | undefined;
      /** The notice that reports the action, with which it is withdrawn; null if there is none. */
      readonly toastId: number | null;
    };

/** The actions of this tab, and those that were undone, the last one at the end. */
export const useStacks = create<{ undo: readonly UndoEntry[]; redo: readonly UndoEntry[] }>(() => ({
  undo: [],
  redo: [],
}));

/** The notice of each action. */
export const noticeOf = new WeakMap<UndoEntry, number>();

/** Creates the entry of operations that the server can undo. */
export const ofOperations = (operations: OperationIds, original?: OperationKind): UndoEntry => ({
  kind: 'operations',
  operations,
  original,
});

/** Adds an action. Actions that were undone before it can no longer be redone, unless it is a repetition or only another view. */
export function pushUndo(entry: UndoEntry, keepsRedo = false): void {
  useStacks.setState(({ undo, redo }) => ({
    undo: [...undo, entry].slice(-undoDepth),
    redo: keepsRedo ? redo : [],
  }));
}

/** Removes an action that can no longer be undone. */
export const forgetUndo = (entry: UndoEntry): void =>
  useStacks.setState(({ undo }) => ({ undo: undo.filter((other) => other !== entry) }));

/** Forgets all actions, because another user signs in. */
export const forgetActions = (): void => useStacks.setState({ undo: [], redo: [] });
