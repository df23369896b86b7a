import { create } from 'zustand';
import { i18n } from '../../../i18n/i18n.ts';
import { closeToast, currentToasts, showToast, subscribeToToasts } from '../../../ui/feedback/toast.ts';
import { transferFailureReason } from './failure.ts';

/** The time for which an undo is offered, in ms (docs/reference/behaviour.md §9: notices with an action). */
export const undoTimeoutMs = 10_000;

/** Undoes an action, and may return the message that reports it. Throws `ApiError`, `RefusedError`. */
export type Undo = () => Promise<string | void>;

interface UndoOffer {
  readonly run: Undo;
  /** The id of the notification that offers it; null without one. */
  readonly toastId: number | null;
}

/** The undo of the last action, for a few seconds. */
const useUndo = create<{ offer: UndoOffer | null }>(() => ({ offer: null }));

let timer: ReturnType<typeof setTimeout> | undefined;
let isWatching = false;

/** Whether the last action can be undone. */
export const canUndo = (): boolean => useUndo.getState().offer !== null;

/** Returns {@link canUndo} and subscribes to changes. */
export const useCanUndo = (): boolean => useUndo(({ offer }) => offer !== null);

function offer(next: UndoOffer | null): void {
  clearTimeout(timer);
  useUndo.setState({ offer: next });
}

/** Notifies of success with an undo button. Returns the notification's id. */
export function toastWithUndo(message: string, run: Undo): number {
  if (!isWatching) {
    isWatching = true;
    subscribeToToasts(() => {
      const shown = useUndo.getState().offer?.toastId ?? null;
      // The undo is withdrawn together with its notification.
      if (shown !== null && !currentToasts().some(({ id }) => id === shown)) offer(null);
    });
  }
  const toastId = showToast({
    tone: 'success',
    message,
    timeoutMs: undoTimeoutMs,
    action: {
      label: i18n.t('undo', { ns: 'common' }),
      shortcut: 'Mod+Z',
      onAction: () => void runUndo(run),
    },
  });
  offer({ run, toastId });
  return toastId;
}

/** Offers an undo by keyboard without a notification, for changes that the user sees anyway, such as another view. */
export function offerUndo(run: Undo): void {
  offer({ run, toastId: null });
  timer = setTimeout(() => offer(null), undoTimeoutMs);
}

/** Undoes the last action, if it is still offered. */
export function undoLast(): void {
  const { offer: last } = useUndo.getState();
  if (!last) return;
  offer(null);
  if (last.toastId !== null) closeToast(last.toastId);
  void runUndo(last.run, last.toastId !== null);
}

async function runUndo(run: Undo, isReported = true): Promise<void> {
  try {
    const message = await run();
    if (isReported) showToast({ tone: 'info', message: message ?? i18n.t('done.undone', { ns: 'files' }) });
  } catch (error) {
    const message = `${i18n.t('failed.undo', { ns: 'files' })} ${transferFailureReason(error)}`;
    showToast({ tone: 'error', message });
  }
}
