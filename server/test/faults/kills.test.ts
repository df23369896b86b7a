import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from './attempts.ts';
import { fileOperations } from './file-operations.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { KillRange } from './kills.ts';
import { type Build, buildServer } from './real-server.ts';
import { rounds } from '../rounds.ts';
import { stateOperations } from './state-operations.ts';
import { versionOperations } from './version-operations.ts';

/** Kills at calls and at moments; `npm run bench -- kills` does more than a thousand. */
const [callKills, momentKills] = [rounds(18), rounds(6)];
const operations = [...fileOperations, ...stateOperations];
/** The others are killed at their calls in `versions.test.ts`. */
const killedAtCalls = operations.filter((operation) => !versionOperations.includes(operation));
const seed = seedOfRun();
const random = randomOf(seed);

let build: Build;
beforeAll(async () => {
  build = await buildServer();
});
afterAll(() => build.remove());

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

test(`a server that is killed at any call loses nothing (seed ${seed})`, { timeout: 600_000 }, async () => {
  const queue: Operation[] = [];
  while (queue.length < callKills) queue.push(...shuffled(killedAtCalls));
  queue.length = callKills;
  let beforeResponse = 0;
  const work = async (): Promise<void> => {
    const range = await KillRange.open({ main: build.main, hasSwitch: true });
    try {
      for (let operation = queue.pop(); operation !== undefined; operation = queue.pop()) {
        const points = await range.pointsOf(operation);
        if (points === null || points.length === 0) continue;
        const at = 1 + random.below(points.length);
        const kill = await range.killAtPoint(operation, at, `call ${at} of ${points.join(', ')}`);
        expect(kill.losses, `${kill.operation}, ${kill.at}`).toEqual([]);
        if (kill.isBeforeResponse) beforeResponse += 1;
      }
    } finally {
      await range.close();
    }
  };
  const clients = await Promise.allSettled([work(), work()]);
  for (const client of clients) if (client.status === 'rejected') throw client.reason;
  expect(beforeResponse).toBeGreaterThan(callKills / 3);
});

test(
  `a server that is killed during concurrent calls loses nothing (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const range = await KillRange.open({ main: build.main, hasSwitch: false });
    try {
      const possible = operations.filter(
        ({ needsOtherDisk }) => needsOtherDisk !== true || range.hasOtherDisk,
      );
      const durations = new Map<Operation, number>();
      for (let count = 0; count < momentKills; count += 1) {
        const chosen = new Set<Operation>(Array.from({ length: 3 }, () => random.pick(possible)));
        let longest = 0;
        for (const operation of chosen) {
          const duration = durations.get(operation) ?? (await range.durationOf(operation));
          durations.set(operation, duration);
          longest = Math.max(longest, duration);
        }
        const kill = await range.killAtTime([...chosen], random.next() * longest);
        expect(kill.losses, `${kill.operation}, ${kill.at}`).toEqual([]);
      }
    } finally {
      await range.close();
    }
  },
);
