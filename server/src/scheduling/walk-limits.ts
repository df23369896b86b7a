import type { FairQueueLimits } from './fair-queue.ts';

/**
 * Limits of concurrent requests of an endpoint that searches or walks through many folders. Searches share one thread: more
 * at once would slow down each of them.
 */
export const walkLimits = {
  running: 4,
  runningPerParty: 2,
  waiting: 64,
  waitingPerParty: 8,
  refusal: 'too_many_requests',
} as const satisfies FairQueueLimits;
