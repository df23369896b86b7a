import { afterAll, beforeAll, expect, test } from 'vitest';
import { KillRange } from './kills.ts';
import { type Build, buildServer } from './real-server.ts';
import { versionOperations } from './version-operations.ts';

let build: Build;
beforeAll(async () => {
  build = await buildServer();
});
afterAll(() => build.remove());

test.each(versionOperations.map((operation) => [operation.name, operation] as const))(
  'a server that is killed at any call of a %s lists each state once after the restart',
  { timeout: 300_000 },
  async (_name, operation) => {
    const range = await KillRange.open({ main: build.main, hasSwitch: true });
    try {
      const points = (await range.pointsOf(operation)) ?? [];
      expect(points.length).toBeGreaterThan(3);
      for (let at = 1; at <= points.length; at += 1) {
        const kill = await range.killAtPoint(operation, at, `call ${at} of ${points.join(', ')}`);
        expect(kill.losses, kill.at).toEqual([]);
      }
    } finally {
      await range.close();
    }
  },
);
