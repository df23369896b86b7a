/** The functions of the application with which the pages and the dialog of shares offer to undo changes. */
export interface ShareHost {
  /** Notifies of a change, with a button that undoes the operations of the server. */
  readonly notifyWithUndo: (message: string, operations: readonly string[]) => void;
  /** Adds an operation of the server that can be undone by key. */
  readonly addOperation: (operation: string) => void;
  /** Calls `listener` after changes were undone, until the returned function is called. */
  readonly onUndone: (listener: () => void) => () => void;
}
