import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeAllToasts, closeToast, currentToasts } from '../../../ui/feedback/toast.ts';
import { RefusedError } from './failure.ts';
import { canUndo, offerUndo, toastWithUndo, undoLast, undoTimeoutMs } from './undo.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  closeAllToasts();
  vi.useRealTimers();
});

test('the last action can be taken back once, while its notice is shown', async () => {
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

test('closing the notice, or waiting, ends the offer', () => {
  closeToast(toastWithUndo('one', async () => undefined));
  expect(canUndo()).toBe(false);
  toastWithUndo('two', async () => undefined);
  vi.advanceTimersByTime(undoTimeoutMs + 1);
  expect(canUndo()).toBe(false);
});

test('what needs no notice is offered as long', () => {
  offerUndo(async () => undefined);
  expect([canUndo(), currentToasts().length]).toEqual([true, 0]);
  vi.advanceTimersByTime(undoTimeoutMs + 1);
  expect(canUndo()).toBe(false);
});

test('why something could not be taken back is said', async () => {
  toastWithUndo('one', async () => {
    throw new RefusedError('It has changed.');
  });
  undoLast();
  await vi.waitFor(() =>
    expect(currentToasts().at(-1)?.message).toBe('This could not be undone. It has changed.'),
  );
});
