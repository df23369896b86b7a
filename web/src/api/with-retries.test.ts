import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { retryDelaySeconds, withRetries } from './with-retries.ts';

const broken = () => new ApiError(0, 'connection_aborted');
let reached = 0;
const interruptions: boolean[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  reached = 0;
  interruptions.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function run(attempt: () => Promise<string>, options: { retryCount?: number; signal?: AbortSignal } = {}) {
  return withRetries(attempt, {
    retryCount: options.retryCount ?? 5,
    signal: options.signal ?? new AbortController().signal,
    getProgress: () => reached,
    isRetryable: () => Promise.resolve(true),
    onInterrupted: (isInterrupted) => interruptions.push(isInterrupted),
  });
}

test('increases the delays up to twenty seconds', () => {
  expect(Array.from({ length: 8 }, (_, retry) => retryDelaySeconds(retry))).toEqual([
    0, 1, 2, 4, 8, 16, 20, 20,
  ]);
});

test('retries after a broken connection with increasing delays', async () => {
  const startMs = Date.now();
  const at: number[] = [];
  const attempt = vi.fn(() => {
    at.push(Date.now() - startMs);
    return at.length < 5 ? Promise.reject(broken()) : Promise.resolve('done');
  });
  const result = run(attempt);
  await vi.runAllTimersAsync();
  await expect(result).resolves.toBe('done');
  expect(at).toEqual([0, 0, 1000, 3000, 7000]);
  expect(interruptions).toEqual([true, false, true, false, true, false, true, false]);
});

test('gives up after the maximum number of failed attempts; progress resets the count', async () => {
  const attempt = vi.fn(() => {
    if (attempt.mock.calls.length === 2) reached = 10;
    return Promise.reject(broken());
  });
  const result = expect(run(attempt, { retryCount: 2 })).rejects.toMatchObject({
    code: 'connection_aborted',
  });
  await vi.runAllTimersAsync();
  await result;
  expect(attempt).toHaveBeenCalledTimes(4);
});

test.each([
  [new ApiError(409, 'already_exists'), 1],
  [new ApiError(403, 'forbidden'), 1],
  [new ApiError(507, 'storage_full'), 1],
  [new ApiError(500, 'hook_failed'), 1],
  [new ApiError(409, 'upload_offset_mismatch'), 2],
  [new ApiError(423, 'upload_in_use'), 2],
  [new ApiError(502, 'internal_error'), 2],
  [new ApiError(503, 'too_busy'), 2],
])('tries %o %i times', async (error, times) => {
  const attempt = vi.fn<() => Promise<string>>().mockRejectedValue(error);
  const result = expect(run(attempt, { retryCount: 1 })).rejects.toBe(error);
  await vi.runAllTimersAsync();
  await result;
  expect(attempt).toHaveBeenCalledTimes(times);
});

test('waits longer if the server asks for it', async () => {
  const startMs = Date.now();
  const attempt = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new ApiError(429, 'too_many_requests', { retryAfterSeconds: 7 }))
    .mockImplementation(() => Promise.resolve(String(Date.now() - startMs)));
  const result = run(attempt);
  await vi.runAllTimersAsync();
  await expect(result).resolves.toBe('7000');
});

test('waits while the browser is offline', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const attempt = vi.fn<() => Promise<string>>().mockRejectedValueOnce(broken()).mockResolvedValue('done');
  const result = run(attempt);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempt).toHaveBeenCalledTimes(1);
  isOnline.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect(result).resolves.toBe('done');
});

test('ends a wait at once after an abort', async () => {
  const stop = new AbortController();
  const result = expect(
    run(() => Promise.reject(new ApiError(429, 'too_many_requests', { retryAfterSeconds: 50 })), stop),
  ).rejects.toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(1000);
  stop.abort();
  await result;
});
