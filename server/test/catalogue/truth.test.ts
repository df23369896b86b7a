import { expect, test } from 'vitest';
import { compareWithWalk } from './truth.ts';

// The full-size suite, 20 seeds of 10,000 changes, is `npm run bench -- truth`.
test.each([1, 2])(
  'the catalogue equals a walk after random changes by other programs (seed %i)',
  async (seed) => {
    const { entries, wrongWatched, wrongNames, wrongEntries } = await compareWithWalk({
      seed,
      operations: 450,
    });
    expect(entries).toBeGreaterThan(50);
    expect(wrongWatched).toEqual([]);
    expect(wrongNames).toEqual([]);
    expect(wrongEntries).toEqual([]);
  },
);
