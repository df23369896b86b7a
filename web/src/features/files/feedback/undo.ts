import { create } from 'zustand';
import { i18n } from '../../../i18n/i18n.ts';
import { closeToast, currentToasts, showToast, subscribeToToasts } from '../../../ui/feedback/toast.ts';
import { transferFailureReason } from './failure.ts';

/** Time to think about an undo (design, Delete: 8 s). */
export const undoTimeoutMs = 10_000;

interface UndoOffer {
  /** Takes the last action back. Throws `ApiError`, `RefusedError`. */
  readonly run: () => Promise<void>;
  /** The notice that offers it; null when it is not worth a notice. */
  readonly toastId: number | null;
}

/** What can be taken back now: the last action, for a few seconds. */
const useUndo = create<{ offer: UndoOffer | null }>(() => ({ offer: null }));

let timer: ReturnType<typeof setTimeout> | undefined;
let isWatching = false;

/** Whether there is something to take back. */
export const canUndo = (): boolean => useUndo.getState().offer !== null;

/** {@link canUndo}, followed by the component that calls it. */
export const useCanUndo = (): boolean => useUndo(({ offer }) => offer !== null);

function offer(next: UndoOffer | null): void {
  clearTimeout(timer);
  useUndo.setState({ offer: next });
}

/** Says that something is done, with a button that takes it back. Returns the notice's id. */
export function toastWithUndo(message: string, run: () => Promise<void>): number {
  if (!isWatching) {
    isWatching = true;
    subscribeToToasts(() => {
      const shown = useUndo.getState().offer?.toastId ?? null;
      // Once the notice has gone, so has the offer.
      if (shown !== null && !currentToasts().some(({ id }) => id === shown)) offer(null);
    });
  }
  const toastId = showToast({
    tone: 'success',
    message,
    timeoutMs: undoTimeoutMs,
    action: { label: i18n.t('undo', { ns: 'common' }), onAction: () => void takeBack(run) },
  });
  offer({ run, toastId });
  return toastId;
}

/** Lets the key take back what the user sees anyway, such as another view, without a notice. */
export function offerUndo(run: () => Promise<void>): void {
  offer({ run, toastId: null });
  timer = setTimeout(() => offer(null), undoTimeoutMs);
}

/** Takes the last action back, while it can be. */
export function undoLast(): void {
  const { offer: last } = useUndo.getState();
  if (!last) return;
  offer(null);
  if (last.toastId !== null) closeToast(last.toastId);
  void takeBack(last.run, last.toastId !== null);
}

async function takeBack(run: () => Promise<void>, isSaid = true): Promise<void> {
  try {
    await run();
    if (isSaid) showToast({ tone: 'info', message: i18n.t('done.undone', { ns: 'files' }) });
  } catch (error) {
    const message = `${i18n.t('failed.undo', { ns: 'files' })} ${transferFailureReason(error)}`;
    showToast({ tone: 'error', message });
  }
}
