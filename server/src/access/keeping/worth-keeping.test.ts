import { expect, test } from 'vitest';
import { isWorthKeeping } from './worth-keeping.ts';

const now = Date.UTC(2026, 10, 22, 12);
const state = (name: string, size: number, ageMs: number) => ({
  name,
  kind: 'file' as const,
  size,
  modifiedNs: BigInt(now - ageMs) * 1_000_000n,
});

test('a file with content is kept, however recent it is', () => {
  expect(isWorthKeeping(state('a.txt', 1, 0), now)).toBe(true);
});

test('an empty file is kept only if it is at least a minute old', () => {
  expect(isWorthKeeping(state('a.txt', 0, 59_999), now)).toBe(false);
  expect(isWorthKeeping(state('a.txt', 0, 60_000), now)).toBe(true);
});

test.each([
  '.DS_Store',
  '._a.txt',
  'Thumbs.db',
  'desktop.ini',
  'Desktop.ini',
  '~$report.docx',
  '.~lock.report.odt#',
])('%s, which a program writes unasked, is not kept', (name) => {
  expect(isWorthKeeping(state(name, 10, 1e9), now)).toBe(false);
});

test.each(['DS_Store', 'a._b', 'my Thumbs.db', 'report~$.docx', '.~lock.report.odt'])(
  '%s is kept, although its name resembles that of a file that is not',
  (name) => {
    expect(isWorthKeeping(state(name, 10, 1e9), now)).toBe(true);
  },
);
