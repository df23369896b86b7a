import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeAllToasts, closeToast, currentToasts } from '../../../ui/feedback/toast.ts';
import { RefusedError } from './failure.ts';
import { canUndo, offerUndo, toastWithUndo, undoLast, undoTimeoutMs } from './undo.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  closeAllToasts();
  vi.useRealTimers();
});

test('undoes only the last action, and only once', async () => {
  const first = vi.fn(async () => undefined);
  const second = vi.fn(async () => undefined);
  toastWithUndo('one', first);
  toastWithUndo('two', second);
  expect(canUndo()).toBe(true);
  undoLast();
  undoLast();
  await vi.runAllTimersAsync();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
});

test('withdraws the undo when the notification is closed or times out', () => {
  closeToast(toastWithUndo('one', async () => undefined));
  expect(canUndo()).toBe(false);
  toastWithUndo('two', async () => undefined);
  vi.advanceTimersByTime(undoTimeoutMs + 1);
  expect(canUndo()).toBe(false);
});

test('offers an undo without a notification for the same time', () => {
  offerUndo(async () => undefined);
  expect([canUndo(), currentToasts().length]).toEqual([true, 0]);
  vi.advanceTimersByTime(undoTimeoutMs + 1);
  expect(canUndo()).toBe(false);
});

test('reports why an undo failed', async () => {
  toastWithUndo('one', async () => {
    throw new RefusedError('It has changed.');
  });
  undoLast();
  await vi.waitFor(() =>
    expect(currentToasts().at(-1)?.message).toBe('This could not be undone. It has changed.'),
  );
});
