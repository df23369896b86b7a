import { emptyClipboard } from '../features/files/clipboard/clipboard.ts';
import { closeAllReports } from '../features/files/jobs/reports.ts';
import { closeAllToasts } from '../ui/feedback/toast.ts';

/**
 * Forgets what the page still offers of whoever was signed in before: cut files, and notices with "Undo" or "Try again",
 * which would act in the name of the user of now.
 */
export function forgetOtherUser(): void {
  emptyClipboard();
  closeAllReports();
  closeAllToasts();
}
