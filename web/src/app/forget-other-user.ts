import { emptyClipboard } from '../features/files/clipboard/clipboard.ts';
import { forgetActions } from '../features/files/feedback/undo-stacks.ts';
import { forgetTargets } from '../features/files/prompts/recent-targets.ts';
import { resetFolderTree } from '../features/files/tree/tree-store.ts';
import { closeAllReports } from '../features/files/jobs/reports.ts';
import { closeAllToasts } from '../ui/feedback/toast.ts';

/**
 * Discards state of the previous user: cut files, actions to undo, and notices with "Undo" or "Try again", whose action would run as the
 * current user.
 */
export function forgetOtherUser(): void {
  emptyClipboard();
  forgetTargets();
  resetFolderTree();
  closeAllReports();
  closeAllToasts();
  forgetActions();
}
