import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { openFakeClock } from '../../test/fake-clock.ts';
import { openFileEvents } from '../access/file-events.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Catalogue } from './catalogue.ts';
import { followChanges } from './follow-changes.ts';

/** Follows the changes of a user whose storage has every folder. `reported` receives the time and the names of each report. */
function follow(): {
  clock: ReturnType<typeof openFakeClock>;
  reported: { atMs: number; names: readonly string[] }[];
  upload(name: string): Promise<void>;
} {
  const clock = openFakeClock(0);
  const events = openFileEvents();
  const reported: { atMs: number; names: readonly string[] }[] = [];
  const catalogue: Pick<Catalogue, 'changedNames' | 'expectChange'> = {
    changedNames: (_folder, names) => reported.push({ atMs: clock.now(), names }),
    expectChange: () => () => undefined,
  };
  const folder = { toPlace: () => rootPath, close: async () => undefined };
  const userContext = { user: { id: 1 }, storage: async () => ({ within: async () => folder }) };
  followChanges(events, {
    catalogue: catalogue as Catalogue,
    clock,
    onFailure: (error) => {
      throw error;
    },
  });
  return {
    clock,
    reported,
    upload: (name) =>
      events.run(
        {
          event: 'upload',
          userContext: userContext as unknown as UserContext,
          path: `/folder/${name}` as VirtualPath,
          destination: null,
        },
        async () => undefined,
      ),
  };
}

test('reports a change after a short time', async () => {
  const { clock, reported, upload } = follow();
  await upload('a');
  await clock.pass(50);
  expect(reported).toEqual([{ atMs: 50, names: ['a'] }]);
});

test('reports the changes of a folder that goes on changing at intervals of up to a second', async () => {
  const { clock, reported, upload } = follow();
  for (let i = 0; i < 500; i++) {
    await upload(`${i}`);
    await clock.pass(10);
  }
  await clock.pass(1000);
  expect(reported.flatMap(({ names }) => names)).toEqual(Array.from({ length: 500 }, (_, i) => `${i}`));
  const intervals = reported.slice(1).map(({ atMs }, i) => atMs - (reported[i]?.atMs ?? 0));
  expect(reported.length).toBeLessThan(12);
  expect(Math.max(...intervals)).toBeLessThanOrEqual(1010);
});

test('reports a change after a short time again once the folder has not changed for a while', async () => {
  const { clock, reported, upload } = follow();
  for (let i = 0; i < 100; i++) {
    await upload(`${i}`);
    await clock.pass(10);
  }
  await clock.pass(2000);
  const startedAt = clock.now();
  await upload('later');
  await clock.pass(50);
  expect(reported.at(-1)).toEqual({ atMs: startedAt + 50, names: ['later'] });
});
