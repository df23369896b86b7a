import { i18n } from '../../../i18n/i18n.ts';
import { closeToast, showToast } from '../../../ui/feedback/toast.ts';
import { transferFailureReason } from './failure.ts';
import { undoOperations } from './undo-operations.ts';
import {
  forgetUndo,
  noticeOf,
  ofOperations,
  pushUndo,
  undoDepth,
  type UndoEntry,
  useStacks,
} from './undo-stacks.ts';

/** Adds an action that was undone. */
const pushRedo = (entry: UndoEntry): void =>
  useStacks.setState(({ redo }) => ({ redo: [...redo, entry].slice(-undoDepth) }));

/** Undoes the last action of this tab, or notifies that there is none. Resolves when that has ended. */
export async function undoNow(): Promise<void> {
  const last = useStacks.getState().undo.at(-1);
  if (last) await runUndo(last);
  else showToast({ tone: 'info', message: i18n.t('undo.nothingToUndo', { ns: 'files' }) });
}

/**
 * Undoes one operation of the server, of this tab or another one, and reports the result. Resolves to whether anything has
 * changed. Throws nothing.
 */
export async function undoOneNow(operation: string): Promise<boolean> {
  let hasChanged = false;
  await report(async () => {
    const done = await undoOperations([operation]);
    if (done === null) return null;
    hasChanged = true;
    useStacks.setState(({ undo, redo }) => ({
      undo: undo.filter((entry) => entry.kind === 'page' || !entry.operations.includes(operation)),
      redo: [
        ...redo.filter((entry) => entry.kind === 'page' || !entry.operations.includes(operation)),
        ofOperations(done.operations, done.kind),
      ].slice(-undoDepth),
    }));
    return done.message;
  });
  return hasChanged;
}

/** Repeats the action that was undone last, or notifies that there is none. */
export function redoNow(): void {
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
      pushUndo({ ...last, run: last.redo ?? last.run, redo: last.run }, true);
      return message ?? null;
    }
    const done = await undoOperations(last.operations);
    if (done === null) pushRedo(last);
    else pushUndo(ofOperations(done.operations, last.original), true);
    return done && done.message;
  });
}

/** Undoes an action and reports the result. Throws nothing. */
export async function runUndo(entry: UndoEntry): Promise<void> {
  const { undo } = useStacks.getState();
  // Its notice may be older than the actions that the tab remembers.
  const position = undo.indexOf(entry);
  forgetUndo(entry);
  const toastId = noticeOf.get(entry);
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
    const done = await undoOperations(entry.operations, entry.original);
    if (done !== null) {
      pushRedo(ofOperations(done.operations, done.kind));
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
