import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestClock } from '../../test/test-clock.ts';
import { IndexThread } from './index-thread.ts';

let folder: string;
let starts: number;
let thread: IndexThread;
const next = (): Promise<unknown> => thread.request((id) => ({ kind: 'next', id, isFirst: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-index-'));
  starts = 0;
  const options = { data: folder, root: folder };
  thread = new IndexThread({ options, clock: openTestClock(), log: { warn: () => undefined } }, () => {
    starts += 1;
  });
});
afterEach(async () => {
  await thread.close();
  rmSync(folder, { recursive: true });
});

test('a request while the thread is being stopped is answered by the next thread', async () => {
  expect(await next()).toMatchObject({ kind: 'next', documents: [] });
  const stopped = thread.stop();
  expect(thread.isRunning).toBe(false);
  expect(await next()).toMatchObject({ kind: 'next', documents: [] });
  await stopped;
  expect(thread.isRunning).toBe(true);
  expect(starts).toBe(2);
});

test('a closed thread answers no more', async () => {
  expect(await thread.start()).toBe(true);
  const closed = thread.close();
  expect(await next()).toBeNull();
  await closed;
  expect(await thread.start()).toBe(false);
});
