import { expect, test } from 'vitest';
import { openTestClock } from '../../test/test-clock.ts';
import { AppError } from '../errors.ts';
import { delayRefusals } from './delay-refusals.ts';
import { refusalDelayMs } from './limits.ts';
import type { PreviewCall } from './send-preview.ts';

/** Sends a call that `code` refuses. `error` is null until it ends. */
function refusedCall(code: 'busy' | 'no_preview') {
  const clock = openTestClock(0, { isStopped: true });
  const client = new AbortController();
  const send = delayRefusals(() => Promise.reject(new AppError(code)), clock);
  let error: unknown = null;
  const ended = send({ getSignal: () => client.signal } as PreviewCall).catch((reason: unknown) => {
    error = reason;
  });
  return { clock, client, ended, error: () => error };
}

test('a refusal because of a full queue is answered after a delay', async () => {
  const { clock, ended, error } = refusedCall('busy');
  await Promise.resolve();
  clock.advance(refusalDelayMs - 1);
  await Promise.resolve();
  expect(error()).toBeNull();
  clock.advance(1);
  await ended;
  expect(error()).toMatchObject({ code: 'busy' });
});

test('a client that disconnects ends the delay', async () => {
  const { client, ended, error } = refusedCall('busy');
  client.abort();
  await ended;
  expect(error()).toMatchObject({ code: 'busy' });
});

test('other errors are answered at once', async () => {
  const { ended, error } = refusedCall('no_preview');
  await ended;
  expect(error()).toMatchObject({ code: 'no_preview' });
});
