import { isApiError } from './api-error.ts';

/** Returns the delay before a retry, in seconds: 0, 1, 2, 4 … at most 20 (docs/reference/filebrowser-api.md §6.3). */
export const retryDelaySeconds = (retry: number): number =>
  retry === 0 ? 0 : Math.min(20, 2 ** (retry - 1));

interface RetryOptions {
  /** Maximum number of consecutive retries without progress. */
  retryCount: number;
  signal: AbortSignal;
  /** Returns the progress of the work; an attempt that increased it does not count as failed. */
  getProgress: () => number;
  /** Whether a retry makes sense after an error that appears temporary. */
  isRetryable: (error: unknown) => Promise<boolean>;
  /** Called with true when a wait begins and with false when the next attempt does. */
  onInterrupted: (isInterrupted: boolean) => void;
}

/** Whether `error` is probably temporary: a broken connection, or a server or proxy that is busy or restarting. */
function isTemporary(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status === 0) return error.code === 'no_connection' || error.code === 'connection_aborted';
  if (error.code === 'upload_offset_mismatch') return true;
  return [408, 423, 429, 502, 503, 504].includes(error.status);
}

/**
 * Repeats `attempt` while its errors are temporary: while the browser is offline until it is online again, otherwise
 * after increasing delays. Throws the last error, or the abort reason of `signal`.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retryCount, signal, getProgress, isRetryable, onInterrupted } = options;
  for (let retry = 0; ; retry += 1) {
    const before = getProgress();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (getProgress() > before) retry = 0;
      if (retry >= retryCount || !isTemporary(error) || !(await isRetryable(error))) throw error;
      onInterrupted(true);
      const requestedSeconds = isApiError(error) ? (error.retryAfterSeconds ?? 0) : 0;
      await wait(Math.max(retryDelaySeconds(retry), Math.min(requestedSeconds, 60)) * 1000, signal);
      await waitUntilOnline(signal);
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

function waitUntilOnline(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
