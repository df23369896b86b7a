import { pluralValues } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { filesText } from './files-text.ts';
import { isTransient, transferFailureReason } from './failure.ts';
import { showAction, toastWithUndo } from './undo.ts';
import type { OperationIds } from './undo-operations.ts';
import type { Undo } from './undo-stacks.ts';

/**
 * Notifies of success, with buttons that undo it and that show the result, if these are given. Returns the
 * notification's id.
 */
export function toastDone(message: string, undo?: Undo | OperationIds, show?: () => void): number {
  if (undo) return toastWithUndo(message, undo, show);
  return showToast({ tone: 'success', message, secondAction: showAction(show) });
}

/** Notifies of a failure with its reason; offers `retry` if another attempt may succeed. */
export function toastFailure(summary: string, error: unknown, retry?: () => void): void {
  const action =
    retry && isTransient(error) ? { label: i18n.t('retry', { ns: 'common' }), onAction: retry } : undefined;
  showToast({ tone: 'error', message: `${summary} ${transferFailureReason(error)}`, action });
}

/** Notifies of items that were not processed because the user stopped the action. */
export function toastUnprocessed(count: number): void {
  if (count > 0) showToast({ tone: 'info', message: filesText('done.cancelled', pluralValues(count)) });
}
