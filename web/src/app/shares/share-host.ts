import { onFilesChange } from '../../features/files/entries/changes.ts';
import { addOperations, toastWithUndo } from '../../features/files/feedback/undo.ts';
import type { ShareHost } from '../../features/shares/share-host.ts';

/** Undoes changes of shares like those of files: by notice, by key, and in the history. */
export const shareHost: ShareHost = {
  notifyWithUndo: (message, operations) => void toastWithUndo(message, operations),
  addOperation: (operation) => addOperations([operation]),
  onUndone: (listener) => onFilesChange(() => listener()),
};
