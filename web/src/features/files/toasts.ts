import { nameOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { formatNumber } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/toast.ts';
import { isolated, reasonOf } from './failure.ts';

/** Time to think about an undo (design, Delete: 8 s). */
const undoTimeoutMs = 8000;

/** Texts of the `files` namespace outside components. */
export const filesText = i18n.getFixedT(null, 'files');

/** A number for a text with plural forms. */
export const counted = (count: number): { count: number; number: string } => ({
  count,
  number: formatNumber(count),
});

/** What a folder is called in a sentence. */
export const folderName = (path: VirtualPath): string =>
  path === '/' ? filesText('root') : isolated(nameOf(path));

/** Says that something is done, with a way back where there is one. Returns the notification's id. */
export function toastDone(message: string, undo?: () => Promise<void>): number {
  if (!undo) return showToast({ tone: 'success', message });
  return showToast({
    tone: 'success',
    message,
    timeoutMs: undoTimeoutMs,
    action: { label: i18n.t('undo', { ns: 'common' }), onAction: () => void runUndo(undo) },
  });
}

async function runUndo(undo: () => Promise<void>): Promise<void> {
  try {
    await undo();
    showToast({ tone: 'info', message: filesText('done.undone') });
  } catch (error) {
    toastFailure(filesText('failed.undo'), error);
  }
}

/** Says what failed, why, and what to do. */
export function toastFailure(what: string, error: unknown): void {
  showToast({ tone: 'error', message: `${what} ${reasonOf(error)}` });
}

/** Says what was left undone because the user stopped it. */
export function toastLeft(count: number): void {
  if (count > 0) showToast({ tone: 'info', message: filesText('done.cancelled', counted(count)) });
}
