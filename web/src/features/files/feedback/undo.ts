import { create } from 'zustand';
import { i18n } from '../../../i18n/i18n.ts';
import {
  closeToast,
  currentToasts,
  showToast,
  subscribeToToasts,
  type ToastAction,
} from '../../../ui/feedback/toast.ts';
import { transferFailureReason } from './failure.ts';
import type { OperationIds } from './undo-operations.ts';

/** The time for which an undo is offered by a notice, in ms (docs/reference/behaviour.md §9: notices with an action). */
export const undoTimeoutMs = 10_000;
/** The number of actions of a tab that can be undone by key. */
export const undoDepth = 50;

/** Undoes an action in the page, and may return the message that reports it. Throws `ApiError`, `RefusedError`. */
export type Undo = () => Promise<string | void>;

/** An action that can be undone. */
type UndoEntry =
  | { readonly kind: 'operations'; readonly operations: OperationIds }
  | {
      readonly kind: 'page';
      readonly run: Undo;
      /** Does it again; absent if that is not offered. */
      readonly redo?: Undo | undefined;
      /** Is withdrawn with this notice. */
      readonly toastId: number | null;
    };

/** The actions of this tab, and those that were undone, the last one at the end. */
const useStacks = create<{ undo: readonly UndoEntry[]; redo: readonly UndoEntry[] }>(() => ({
  undo: [],
  redo: [],
}));

let isWatching = false;

const forget = (entry: UndoEntry): void =>
  useStacks.setState(({ undo }) => ({ undo: undo.filter((other) => other !== entry) }));

/** Adds an action. Actions that were undone before it can no longer be redone, unless it is a repetition or only another view. */
function push(entry: UndoEntry, keepsRedo = false): void {
  useStacks.setState(({ undo, redo }) => ({
    undo: [...undo, entry].slice(-undoDepth),
    redo: keepsRedo ? redo : [],
  }));
}

/** Adds an action that was undone. */
const pushRedo = (entry: UndoEntry): void =>
  useStacks.setState(({ redo }) => ({ redo: [...redo, entry].slice(-undoDepth) }));

const ofOperations = (operations: OperationIds): UndoEntry => ({ kind: 'operations', operations });

/** Forgets all actions, because another user signs in. */
export const forgetActions = (): void => useStacks.setState({ undo: [], redo: [] });

/** Adds operations of the server that an action consists of, the first one first, without a notice. */
export function addOperations(operations: OperationIds): void {
  if (operations.length > 0) push(ofOperations(operations));
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
        if (entry.kind === 'page' && entry.toastId !== null && !shown.has(entry.toastId)) forget(entry);
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
      onAction: () => void run(entry),
    },
  });
  const entry: UndoEntry =
    typeof undo === 'function' ? { kind: 'page', run: undo, toastId } : ofOperations(undo);
  toasts.set(entry, toastId);
  push(entry);
  return toastId;
}

/** The action that shows the result, for a notification. */
export const showAction = (show: (() => void) | undefined): ToastAction | undefined =>
  show && { label: i18n.t('done.show', { ns: 'files' }), onAction: show };

/** The notice of each action. */
const toasts = new WeakMap<UndoEntry, number>();

/**
 * Offers an undo by keyboard for a few seconds without a notice, for changes that the user sees anyway, such as another view.
 * `undo` returns the message that reports it.
 */
export function offerUndo(undo: () => Promise<string>): void {
  const entry: UndoEntry = { kind: 'page', run: undo, toastId: null };
  push(entry, true);
  setTimeout(() => forget(entry), undoTimeoutMs);
}

/** Adds an action of the page that can be undone and redone by key later. Both functions return the message that reports it. */
export const addAction = (undo: () => Promise<string>, redo: () => Promise<string>): void =>
  push({ kind: 'page', run: undo, redo, toastId: null });

/** The maximum time for which an undo waits for a change in progress, in ms. */
const maxWaitMs = 5_000;
/** Changes in progress. */
const running = new Set<Promise<unknown>>();

/** Registers a change, so that an undo waits for it: the list shows it before the response does, and it is what the user means. */
export function trackChange<T>(change: Promise<T>): Promise<T> {
  running.add(change);
  return change.finally(() => running.delete(change));
}

/** Undoes the last action of this tab, or notifies that there is none. */
export function undoLast(): void {
  if (running.size === 0) return undoNow();
  const waited = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
  void Promise.race([Promise.allSettled(running), waited]).then(undoNow);
}

function undoNow(): void {
  const last = useStacks.getState().undo.at(-1);
  if (last) void run(last);
  else showToast({ tone: 'info', message: i18n.t('undo.nothingToUndo', { ns: 'files' }) });
}

/**
 * Undoes one operation of the server, of this tab or another one, and reports the result. Resolves to whether anything has
 * changed. Throws nothing.
 */
export async function undoOne(operation: string): Promise<boolean> {
  let hasChanged = false;
  await report(async () => {
    const done = await undoOnServer([operation]);
    if (done === null) return null;
    hasChanged = true;
    useStacks.setState(({ undo, redo }) => ({
      undo: undo.filter((entry) => entry.kind === 'page' || !entry.operations.includes(operation)),
      redo: [
        ...redo.filter((entry) => entry.kind === 'page' || !entry.operations.includes(operation)),
        ofOperations(done.operations),
      ].slice(-undoDepth),
    }));
    return done.message;
  });
  return hasChanged;
}

/** Repeats the action that was undone last, or notifies that there is none. */
export function redoLast(): void {
  const { redo } = useStacks.getState();
  const last = redo.at(-1);
  if (!last) {
    showToast({ tone: 'info', message: i18n.t('undo.nothingToRedo', { ns: 'files' }) });
    return;
  }
  useStacks.setState({ redo: redo.slice(0, -1) });
  void report(async () => {
    if (last.kind === 'page') {
      const message = await last.run();
      push({ ...last, run: last.redo ?? last.run, redo: last.run }, true);
      return message ?? null;
    }
    const done = await undoOnServer(last.operations);
    if (done === null) pushRedo(last);
    else push(ofOperations(done.operations), true);
    return done && done.message;
  });
}

/** Undoes operations of the server; null if the user declines. The code is loaded on demand. */
const undoOnServer = async (operations: OperationIds) =>
  (await import('./undo-operations.ts')).undoOperations(operations);

async function run(entry: UndoEntry): Promise<void> {
  const { undo } = useStacks.getState();
  // Its notice may be older than the actions that the tab remembers.
  const position = undo.indexOf(entry);
  forget(entry);
  const toastId = toasts.get(entry);
  if (toastId !== undefined) closeToast(toastId);
  if (entry.kind === 'page') {
    await report(async () => {
      const message = await entry.run();
      if (entry.redo) pushRedo({ ...entry, run: entry.redo, redo: entry.run });
      return message ?? (toastId === undefined ? null : i18n.t('done.undone', { ns: 'files' }));
    });
    return;
  }
  await report(async () => {
    const done = await undoOnServer(entry.operations);
    if (done !== null) {
      pushRedo(ofOperations(done.operations));
      return done.message;
    }
    if (position >= 0) useStacks.setState((state) => ({ undo: state.undo.toSpliced(position, 0, entry) }));
    return null;
  });
}

/** Shows the message that `work` returns, or its failure. */
async function report(work: () => Promise<string | null>): Promise<void> {
  try {
    const message = await work();
    if (message !== null) showToast({ tone: 'info', message });
  } catch (error) {
    const message = `${i18n.t('failed.undo', { ns: 'files' })} ${transferFailureReason(error)}`;
    showToast({ tone: 'error', message });
  }
}
