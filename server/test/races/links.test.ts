import { expect, test } from 'vitest';
import { raceLinks } from './race-links.ts';

// The long run, with more than 20,000 swaps: npm run bench -- races
test('no request leaves the scope while folders, files and links are swapped with links out of it', async () => {
  const { swaps, requests, verbs, escapes } = await raceLinks({ swaps: 1_500, triesEach: 2 });
  expect(escapes).toEqual([]);
  expect(swaps).toBeGreaterThanOrEqual(1_500);
  expect(requests).toBeGreaterThan(500);
  const tallies = [...verbs.values()];
  const sum = (of: 'tries' | 'met' | 'done' | 'refused'): number =>
    tallies.reduce((total, tally) => total + tally[of], 0);
  // Attempts met both states, so that some succeeded and some were refused.
  expect(sum('met') / sum('tries')).toBeGreaterThan(0.3);
  expect(sum('done') / sum('tries')).toBeGreaterThan(0.1);
  expect(sum('refused') / sum('tries')).toBeGreaterThan(0.1);
}, 120_000);
