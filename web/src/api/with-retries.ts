import { isApiError } from './api-error.ts';

/** Waits before each further attempt, in seconds: 0, 1, 2, 4 … at most 20 (docs/reference/filebrowser-api.md §6.3). */
export const retryDelaySeconds = (retry: number): number =>
  retry === 0 ? 0 : Math.min(20, 2 ** (retry - 1));

interface RetryOptions {
  /** Attempts after the first one, counted anew whenever `reached` grows. */
  retryCount: number;
  signal: AbortSignal;
  /** How far the work is; an attempt that got further was not in vain. */
  reached: () => number;
  /** Whether another attempt may help after an error that looks so. */
  isWorthIt: (error: unknown) => Promise<boolean>;
  /** Told when a wait begins and when the next attempt does. */
  onInterrupted: (isInterrupted: boolean) => void;
}

/** Whether `error` may be gone in a moment: a connection that broke, a server or proxy that is busy or restarting. */
function isPassing(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status === 0) return error.code === 'no_connection' || error.code === 'connection_aborted';
  if (error.code === 'upload_offset_mismatch') return true;
  return [408, 423, 429, 502, 503, 504].includes(error.status);
}

/**
 * Repeats `attempt` while its failures may pass: while the browser is offline until it is back, otherwise after growing
 * waits. Throws the last error, or what `signal` was aborted with.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retryCount, signal, reached, isWorthIt, onInterrupted } = options;
  for (let retry = 0; ; retry += 1) {
    const before = reached();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (reached() > before) retry = 0;
      if (retry >= retryCount || !isPassing(error) || !(await isWorthIt(error))) throw error;
      onInterrupted(true);
      const asked = isApiError(error) ? (error.retryAfterSeconds ?? 0) : 0;
      await wait(Math.max(retryDelaySeconds(retry), Math.min(asked, 60)) * 1000, signal);
      await backOnline(signal);
      onInterrupted(false);
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function backOnline(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
