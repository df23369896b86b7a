import { expect, test } from 'vitest';
import type { StoredShare } from '../database/stored-share.ts';
import { openShareTokens } from './share-tokens.ts';

const share: StoredShare = {
  hash: 'x'.repeat(32),
  userId: 1,
  path: '/a.txt' as StoredShare['path'],
  isFolder: false,
  expiresAt: 0,
  passwordHash: 'hash',
  createdAt: 1,
  visits: 0,
};
let time = Date.UTC(2030, 0, 1);
const open = (key = 1) =>
  openShareTokens({ key: () => new Uint8Array(32).fill(key), lifeMs: 1000, now: () => time });

test('a token opens its share until it expires, also after the shared entry was moved', () => {
  const tokens = open();
  const token = tokens.issue(share);
  expect(tokens.issue(share)).not.toBe(token);
  expect(tokens.isValid({ ...share, path: '/b.txt' as StoredShare['path'] }, token)).toBe(true);
  time += 999;
  expect(tokens.isValid(share, token)).toBe(true);
  time += 1;
  expect(tokens.isValid(share, token)).toBe(false);
});

test.each<[string, Partial<StoredShare>]>([
  ['another share', { hash: 'y'.repeat(32) }],
  ['another password', { passwordHash: 'other' }],
  ['another end', { expiresAt: 1 }],
  ['a share that was created again', { createdAt: 2 }],
  ['a share that is not protected', { passwordHash: null }],
])('a token is invalid for %s', (_name, change) => {
  const tokens = open();
  expect(tokens.isValid({ ...share, ...change }, tokens.issue(share))).toBe(false);
});

test('a token of another installation, or with one changed character, is invalid', () => {
  const tokens = open();
  const token = tokens.issue(share);
  expect(tokens.isValid(share, open(2).issue(share))).toBe(false);
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'A' ? 'B' : 'A';
    expect(tokens.isValid(share, token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
  }
});
