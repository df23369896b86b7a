import { describe, expect, test } from 'vitest';
import { compareByExpiry, isEndless } from './share-duration.ts';

test('treats an empty amount and zero as no expiry', () => {
  expect(['', '  ', '0', '00'].map((amount) => isEndless({ amount, unit: 'days' }))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(isEndless({ amount: '1', unit: 'seconds' })).toBe(false);
});

describe('the order of shares', () => {
  const shareOf = (expire: number, created: number) => ({
    hash: `${expire}-${created}`,
    path: '/a',
    userID: 1,
    hasPassword: false,
    expire,
    created,
    visits: 0,
  });
  test('is permanent ones first, then by expiry, the newest first for equal ones', () => {
    const shares = [shareOf(20, 1), shareOf(10, 1), shareOf(0, 1), shareOf(10, 2)];
    expect(shares.toSorted(compareByExpiry).map(({ hash }) => hash)).toEqual(['0-1', '10-2', '10-1', '20-1']);
  });
});
