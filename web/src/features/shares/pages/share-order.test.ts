import type { Share } from '@filestead/contract/shares';
import { afterEach, expect, test, vi } from 'vitest';
import { shareOf } from '../test-shares.ts';
import { orderAfterPress, sortShares, type ShareOrder } from './share-order.ts';

const shareAt = (path: string, change: Partial<Share>): Share => shareOf(path, { path, ...change });
const shares = [
  shareAt('/b/bill 10.txt', { created: 3, visits: 2, expire: 500 }),
  shareAt('/a/äther/', { created: 1, visits: 9 }),
  shareAt('/c/bill 9.txt', { created: 2, visits: 2, expire: 90 }),
  shareAt('/z/Apple', { created: 4, visits: 0 }),
];

const paths = (by: ShareOrder['by'], isDescending = false) =>
  sortShares(shares, { by, isDescending }, 'de').map(({ path }) => path);

test('names are sorted as in the language, without their folders, and numbers by their value', () => {
  const ascending = ['/z/Apple', '/a/äther/', '/c/bill 9.txt', '/b/bill 10.txt'];
  expect(paths('name')).toEqual(ascending);
  expect(paths('name', true)).toEqual(ascending.toReversed());
});

test('equal visits are ordered by creation, the newest first, in both directions', () => {
  expect(paths('visits')).toEqual(['/z/Apple', '/b/bill 10.txt', '/c/bill 9.txt', '/a/äther/']);
  expect(paths('visits', true)).toEqual(['/a/äther/', '/b/bill 10.txt', '/c/bill 9.txt', '/z/Apple']);
});

test('shares without an expiry expire last', () => {
  expect(paths('expires')).toEqual(['/c/bill 9.txt', '/b/bill 10.txt', '/z/Apple', '/a/äther/']);
  expect(paths('expires', true)).toEqual(['/z/Apple', '/a/äther/', '/b/bill 10.txt', '/c/bill 9.txt']);
});

test('a column begins with its usual direction, and the next press reverses it', () => {
  const created: ShareOrder = { by: 'created', isDescending: true };
  expect(orderAfterPress(created, 'created')).toEqual({ by: 'created', isDescending: false });
  expect(orderAfterPress(created, 'name')).toEqual({ by: 'name', isDescending: false });
  expect(orderAfterPress(created, 'expires')).toEqual({ by: 'expires', isDescending: false });
  expect(orderAfterPress({ by: 'name', isDescending: true }, 'visits')).toEqual({
    by: 'visits',
    isDescending: true,
  });
});

afterEach(() => {
  localStorage.clear();
  vi.resetModules();
});

test('the order is remembered in this browser, and an unknown one is ignored', async () => {
  const { chooseShareOrder } = await import('./share-order.ts');
  chooseShareOrder({ by: 'visits', isDescending: false });
  vi.resetModules();
  const reloaded = await import('./share-order.ts');
  expect(reloaded.useShareOrder.getState()).toEqual({ by: 'visits', isDescending: false });
  localStorage.setItem('filestead.shared-order', '{"by":"owner"}');
  vi.resetModules();
  const other = await import('./share-order.ts');
  expect(other.useShareOrder.getState()).toEqual({ by: 'created', isDescending: true });
});
