import { i18n } from '../../../i18n/i18n.ts';
import { currentToasts, showToast, subscribeToToasts, type ToastAction } from '../../../ui/feedback/toast.ts';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import type { OperationIds } from './undo-operations.ts';
import {
  forgetUndo,
  noticeOf,
  ofOperations,
  pushUndo,
  type Undo,
  type UndoEntry,
  useStacks,
} from './undo-stacks.ts';

/** The time for which an undo is offered by a notice, in ms (docs/reference/behaviour.md §9: notices with an action). */
export const undoTimeoutMs = 10_000;

/** Remembering actions is part of the first load; undoing them is not. */
const runPart = lazyPart(() => import('./run-undo.ts'));

let isWatching = false;

/** Adds operations of the server that an action consists of, the first one first, without a notice. */
export function addOperations(operations: OperationIds): void {
  if (operations.length > 0) pushUndo(ofOperations(operations));
}

/**
 * Notifies of success with an undo button, and one that shows the result. Operations of the server can be undone by key
 * later, too. Returns the notice's id.
 */
export function toastWithUndo(message: string, undo: Undo | OperationIds, show?: () => void): number {
  if (!isWatching) {
    isWatching = true;
    subscribeToToasts(() => {
      const shown = new Set(currentToasts().map(({ id }) => id));
      for (const entry of useStacks.getState().undo) {
        if (entry.kind === 'page' && entry.toastId !== null && !shown.has(entry.toastId)) forgetUndo(entry);
      }
    });
  }
  const toastId = showToast({
    tone: 'success',
    message,
    timeoutMs: undoTimeoutMs,
    secondAction: showAction(show),
    action: {
      label: i18n.t('undo', { ns: 'common' }),
      shortcut: 'Mod+Z',
      onAction: () => void loadOrReport(runPart).then((code) => code?.runUndo(entry)),
    },
  });
  const entry: UndoEntry =
    typeof undo === 'function' ? { kind: 'page', run: undo, toastId } : ofOperations(undo);
  noticeOf.set(entry, toastId);
  pushUndo(entry);
  return toastId;
}

/** The action that shows the result, for a notification. */
export const showAction = (show: (() => void) | undefined): ToastAction | undefined =>
  show && { label: i18n.t('done.show', { ns: 'files' }), onAction: show };

/**
 * Offers an undo by keyboard for a few seconds without a notice, for changes that the user sees anyway, such as another view.
 * `undo` returns the message that reports it.
 */
export function offerUndo(undo: () => Promise<string>): void {
  const entry: UndoEntry = { kind: 'page', run: undo, toastId: null };
  pushUndo(entry, true);
  setTimeout(() => forgetUndo(entry), undoTimeoutMs);
}

/** Adds an action of the page that can be undone and redone by key later. Both functions return the message that reports it. */
export const addAction = (undo: () => Promise<string>, redo: () => Promise<string>): void =>
  pushUndo({ kind: 'page', run: undo, redo, toastId: null });

/** The maximum time for which an undo waits for a change in progress, and a redo for an undo, in ms. */
const maxWaitMs = 5_000;
/** Changes in progress. */
const running = new Set<Promise<unknown>>();

/**
 * Registers a change, so that an undo waits for it. The list shows a change before the server has confirmed it, and a user who then
 * presses the key of undo wants to undo this change.
 */
export function trackChange<T>(change: Promise<T>): Promise<T> {
  running.add(change);
  return change.finally(() => running.delete(change));
}

/** Undos in progress. */
const undoing = new Set<Promise<void>>();

const waitFor = (change: Promise<unknown>): Promise<unknown> =>
  Promise.race([change, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);

/** Undoes the last action of this tab, or notifies that there is none. */
export async function undoLast(): Promise<void> {
  if (running.size > 0) await waitFor(Promise.allSettled(running));
  const undo = (await loadOrReport(runPart))?.undoNow();
  if (undo === undefined) return;
  undoing.add(undo);
  void undo.finally(() => undoing.delete(undo));
}

/** Repeats the action that was undone last, or notifies that there is none. An undo in progress ends before. */
export async function redoLast(): Promise<void> {
  if (undoing.size > 0) await waitFor(Promise.allSettled(undoing));
  (await loadOrReport(runPart))?.redoNow();
}

/**
 * Undoes one operation of the server, of this tab or another one, and reports the result. Resolves to whether anything has
 * changed. Throws nothing.
 */
export const undoOne = async (operation: string): Promise<boolean> =>
  (await loadOrReport(runPart))?.undoOneNow(operation) ?? false;
