import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LongPress } from './long-press.ts';

/** The time for which the page was busy, in ms: the clock went on, but timers did not run. */
let busyMs = 0;

beforeEach(() => {
  busyMs = 0;
  vi.useFakeTimers();
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + busyMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** An event of the finger that happens now, or did some ms ago. */
const touch = ({ agoMs = 0, x = 0 } = {}): PointerEvent =>
  ({ timeStamp: performance.now() - agoMs, clientX: x, clientY: 0 }) as PointerEvent;

function startPress() {
  const onHeld = vi.fn<(id: string) => void>();
  const press = new LongPress(onHeld);
  press.begin('a', touch());
  return { press, onHeld };
}

test('a finger that stays for half a second presses long, one that moves does not', () => {
  const { press, onHeld } = startPress();
  vi.advanceTimersByTime(499);
  expect(onHeld).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onHeld.mock.calls).toEqual([['a']]);
  expect(press.isHeld).toBe(true);
  press.end(touch());
  expect(press.isHeld).toBe(false);

  press.begin('b', touch());
  press.moved(touch({ x: 11 }));
  vi.advanceTimersByTime(2000);
  expect(onHeld).toHaveBeenCalledTimes(1);
});

test('a tap while the page is busy is no long press, even if its timer runs before its end is known', () => {
  const { press, onHeld } = startPress();
  busyMs = 610;
  vi.advanceTimersByTime(500);
  press.end(touch({ agoMs: 1070 }));
  vi.advanceTimersByTime(2000);
  expect(onHeld).not.toHaveBeenCalled();
});

test('a finger that stays on a busy page presses long once the page is free, or once it is lifted', () => {
  const free = startPress();
  busyMs = 610;
  vi.advanceTimersByTime(500);
  expect(free.onHeld).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(free.onHeld).toHaveBeenCalledTimes(1);

  const lifted = startPress();
  busyMs += 610;
  vi.advanceTimersByTime(500);
  lifted.press.end(touch());
  expect(lifted.onHeld).toHaveBeenCalledTimes(1);
});
