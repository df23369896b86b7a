import type { Share } from '@filestead/contract/shares';

/** Returns a permanent share of the folder `/docs/` without a password. */
export const shareOf = (hash: string, change: Partial<Share> = {}): Share => ({
  hash,
  path: '/docs/',
  userID: 1,
  expire: 0,
  hasPassword: false,
  created: 1,
  visits: 0,
  ...change,
});
