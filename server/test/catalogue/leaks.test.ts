import { expect, test } from 'vitest';
import { rounds } from '../rounds.ts';
import { findLeaks } from './leaks.ts';

// The full-size suite, with 1,000 users, is `npm run bench -- leaks`.
test('responses contain exactly what a walk as the user shows', async () => {
  expect(await findLeaks({ seed: 7, users: rounds(15), entries: 400, requestsPerUser: 3 })).toEqual([]);
}, 180_000);
