import type { Clock } from '../clock.ts';
import { isAppError } from '../errors.ts';
import { refusalDelayMs } from './limits.ts';
import type { SendPreview } from './send-preview.ts';

/**
 * Returns `send` with a delay before each refusal because of a full queue. Hundreds of clients that repeat a refused
 * request at once would otherwise use the processor time that other previews need. No file is open during the delay; it
 * ends early when the client disconnects.
 */
export function delayRefusals(send: SendPreview, clock: Pick<Clock, 'after'>): SendPreview {
  return async (call) => {
    try {
      await send(call);
    } catch (error) {
      if (isAppError(error, 'busy')) await delay(clock, call.getSignal());
      throw error;
    }
  };
}

function delay(clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(refusalDelayMs, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
