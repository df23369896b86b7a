import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomOf, seedOfRun } from '../random.ts';
import { rounds } from '../rounds.ts';
import { KillRange } from './kills.ts';
import { type Build, buildServer } from './real-server.ts';
import { versionOperations } from './version-operations.ts';

/** Of the calls of an operation every sixth is hit, beginning with a random one; `npm run bench -- kills` hits them all. */
const stride = Math.ceil(6 / rounds(1));
const seed = seedOfRun();
const random = randomOf(seed);

let build: Build;
beforeAll(async () => {
  build = await buildServer();
});
afterAll(() => build.remove());

test.each(versionOperations.map((operation) => [operation.name, operation] as const))(
  `a server that is killed at a call of a %s lists each state once after the restart (seed ${seed})`,
  { timeout: 300_000 },
  async (_name, operation) => {
    const range = await KillRange.open({ main: build.main, hasSwitch: true });
    try {
      // Creates the folders for versions, so that later runs make the same calls.
      await range.pointsOf(operation);
      let kills = 0;
      let beforeResponse = 0;
      const kill = async (at: number, points: readonly string[]): Promise<void> => {
        const label = `call ${at} of ${points.join(', ')}`;
        const { losses, isBeforeResponse } = await range.killAtPoint(operation, at, label);
        expect(losses, label).toEqual([]);
        kills += 1;
        if (isBeforeResponse) beforeResponse += 1;
      };
      await kill(1, []);
      // Counted in a server that has just started, like those that are killed.
      const points = (await range.pointsOf(operation)) ?? [];
      expect(points.length).toBeGreaterThan(3);
      // Backwards from the response, which comes after all points; the first point was above.
      for (let at = points.length + 1 - random.below(stride); at > 1; at -= stride) await kill(at, points);
      expect(beforeResponse).toBeGreaterThan(kills / 2);
    } finally {
      await range.close();
    }
  },
);
