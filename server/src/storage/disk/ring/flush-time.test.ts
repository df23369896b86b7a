import { expect, test } from 'vitest';
import { FlushTime } from './flush-time.ts';

const estimateOf = (times: readonly number[]): number => {
  const time = new FlushTime();
  for (const ms of times) time.add(ms);
  return time.ms;
};

test('a disk whose flushes all take long is recognized within a few dozen of them', () => {
  expect(estimateOf(Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? 10 : 18)))).toBeGreaterThan(
    8,
  );
});

test('waiting for a processor does not make a fast disk slow', () => {
  expect(estimateOf(Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? 3 : 30)))).toBeLessThan(8);
});

test('a few fast flushes do not make a slow disk fast', () => {
  expect(estimateOf(Array.from({ length: 1000 }, (_, index) => (index % 10 === 0 ? 1 : 16)))).toBeGreaterThan(
    8,
  );
});
