/** Durations of toasts in ms: longer if there is an action. Errors stay until they are closed. */
const defaultTimeoutMs = 4000;
const actionTimeoutMs = 10_000;
const maxToasts = 3;

export interface ToastAction {
  label: string;
  /** The key that does the same, shown beside the button. */
  shortcut?: string | undefined;
  onAction: () => void;
}

export interface ToastInput {
  tone: 'info' | 'success' | 'error';
  message: string;
  /** The action closes the toast too. */
  action?: ToastAction | undefined;
  /** A further action before the other one, such as showing the result. */
  secondAction?: ToastAction | undefined;
  /** Duration in ms; `Infinity`: until closed. Default: 4 s, 10 s with an action; errors until closed. */
  timeoutMs?: number | undefined;
}

export interface Toast extends ToastInput {
  id: number;
}

interface Countdown {
  remainingMs: number;
  startedAtMs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A reason for pausing the timers: the pointer is on the toasts, or one has the focus. */
export type PauseReason = 'pointer' | 'focus';

let toasts: readonly Toast[] = [];
let lastId = 0;
/** The current reasons for pausing the timers. */
const pauseReasons = new Set<PauseReason>();
const countdowns = new Map<number, Countdown>();
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  // Removed toasts send neither a leave nor a blur event.
  if (next.length === 0) pauseReasons.clear();
  for (const listener of listeners) listener();
}

function start(id: number, countdown: Countdown): void {
  countdown.startedAtMs = Date.now();
  countdown.timer = setTimeout(() => closeToast(id), countdown.remainingMs);
}

/**
 * Shows a toast at the bottom of the page and returns its id. Only for messages that do not belong to an element of the
 * page.
 */
export function showToast(input: ToastInput): number {
  // A repeated error is not shown twice; it moves to the newest position.
  const repeated = toasts.find(({ tone, message }) => tone === 'error' && message === input.message);
  if (repeated) closeToast(repeated.id);
  const toast: Toast = { ...input, id: ++lastId };
  const automaticMs = (input.action ?? input.secondAction) ? actionTimeoutMs : defaultTimeoutMs;
  const timeoutMs = input.timeoutMs ?? (input.tone === 'error' ? Infinity : automaticMs);
  if (Number.isFinite(timeoutMs)) {
    const countdown: Countdown = { remainingMs: timeoutMs, startedAtMs: 0, timer: undefined };
    countdowns.set(toast.id, countdown);
    if (pauseReasons.size === 0) start(toast.id, countdown);
  }
  // If there are too many, the oldest temporary toast is closed first.
  const closing =
    toasts.length < maxToasts ? undefined : (toasts.find(({ id }) => countdowns.has(id)) ?? toasts[0]);
  if (closing) forget(closing.id);
  change([...toasts.filter((shown) => shown !== closing), toast]);
  return toast.id;
}

function forget(id: number): void {
  clearTimeout(countdowns.get(id)?.timer);
  countdowns.delete(id);
}

export function closeToast(id: number): void {
  forget(id);
  if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
}

export function closeAllToasts(): void {
  for (const id of countdowns.keys()) forget(id);
  if (toasts.length > 0) change([]);
}

/** Pauses all timers while there is a reason, and continues them afterwards. */
export function pauseToasts(reason: PauseReason, isPaused: boolean): void {
  const wasPaused = pauseReasons.size > 0;
  if (isPaused) pauseReasons.add(reason);
  else pauseReasons.delete(reason);
  if (pauseReasons.size > 0 === wasPaused) return;
  for (const [id, countdown] of countdowns) {
    if (isPaused) {
      clearTimeout(countdown.timer);
      countdown.remainingMs = Math.max(0, countdown.remainingMs - (Date.now() - countdown.startedAtMs));
    } else {
      start(id, countdown);
    }
  }
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
