import { maxShareDuration } from '@filestead/contract/values/limits';
import { expect, test } from 'vitest';
import { expiryChoiceOf, localTimeText, secondsUntil } from './expiry.ts';

const created = 1_800_000_000;
const day = 86_400;

test.each([
  [0, 'never'],
  [created + 7 * day, 'week'],
  [created + 7 * day + 1, 'week'],
  [created + 30 * day + 1, 'month'],
  [created + day, 'date'],
  [created + 8 * day, 'date'],
])('shows the expiry %d as the choice %s', (expire, choice) => {
  expect(expiryChoiceOf({ expire, created })).toBe(choice);
});

test('formats and reads local times to the minute', () => {
  const at = new Date(2026, 10, 9, 7, 5, 30).getTime();
  expect(localTimeText(at)).toBe('2026-11-09T07:05');
  expect(secondsUntil('2026-11-09T07:06', at)).toBe(30);
});

test.each(['', '2026-11-09T', '2026-11-09T07:05', '1999-01-01T00:00'])(
  'refuses the incomplete or past expiry %j',
  (text) => {
    expect(secondsUntil(text, new Date(2026, 10, 9, 7, 5, 30).getTime())).toBeNull();
  },
);

test('limits an expiry in the far future to the longest duration', () => {
  expect(secondsUntil('9000-01-01T00:00', 0)).toBe(maxShareDuration);
});
