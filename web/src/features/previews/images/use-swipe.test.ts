import { expect, test } from 'vitest';
import { swipeOf } from './use-swipe.ts';

test.each([
  [{ x: -61, y: 20 }, 'left'],
  [{ x: 61, y: -20 }, 'right'],
  [{ x: 20, y: 101 }, 'down'],
  [{ x: 60, y: 0 }, null],
  [{ x: 0, y: 100 }, null],
  [{ x: 0, y: -300 }, null],
  [{ x: 90, y: 60 }, null],
  [{ x: 60, y: 110 }, null],
])('a movement by %o is a swipe: %s', (moved, direction) => {
  expect(swipeOf(moved)).toBe(direction);
});
