import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestClock } from '../../../test/test-clock.ts';
import type { TaskListener, WorkerTask } from '../../programs/worker-pool.ts';
import {
  defaultWatchFolders,
  FolderWatches,
  retryWatchingMs,
  systemWatchLimit,
  type WatchWorker,
} from './folder-watches.ts';
import type { WatchMessage, WatchRequest } from './observe-protocol.ts';

/** A worker that allows a number of watches, as the operating system does. */
function limitedWorker(limit: number): { worker: WatchWorker; open: Set<number> } {
  const open = new Set<number>();
  let lastId = 0;
  const worker: WatchWorker = {
    open(listener: TaskListener<WatchMessage>): WorkerTask<WatchRequest> {
      const id = ++lastId;
      return {
        id,
        worker: {},
        end: () => undefined,
        send({ kind }) {
          if (kind === 'close') open.delete(id);
          else if (open.size < limit) {
            open.add(id);
            queueMicrotask(() => listener.onMessage({ kind: 'watching', id }));
          } else queueMicrotask(() => listener.onMessage({ kind: 'failed', id, code: 'ENOSPC' }));
        },
      };
    },
  };
  return { worker, open };
}

const listener = { onChange: () => undefined, onEnd: () => undefined };

test('watches no more folders than allowed', async () => {
  const { worker, open } = limitedWorker(100);
  const watches = new FolderWatches({ clock: openTestClock(), maxWatches: 2, worker });
  const first = await watches.open('/1', listener);
  expect(await watches.open('/2', listener)).not.toBeNull();
  expect(await watches.open('/3', listener)).toBeNull();
  first?.();
  expect(await watches.open('/3', listener)).not.toBeNull();
  expect(open.size).toBe(2);
});

test('releases a tenth of the watches when the operating system refuses one, reports it once, and retries later', async () => {
  const { worker, open } = limitedWorker(10);
  const clock = openTestClock(0, { isStopped: true });
  let reports = 0;
  const watches = new FolderWatches({
    clock,
    maxWatches: 100,
    worker,
    onExhausted: () => void (reports += 1),
  });
  let ends = 0;
  for (let index = 0; index < 10; index++)
    await watches.open(`/${index}`, { ...listener, onEnd: () => void (ends += 1) });
  expect(watches.isExhausted).toBe(false);
  expect(await watches.open('/more', listener)).toBeNull();
  expect(await watches.open('/even more', listener)).toBeNull();
  expect({ reports, ends, open: open.size, isExhausted: watches.isExhausted }).toEqual({
    reports: 1,
    ends: 1,
    open: 9,
    isExhausted: true,
  });
  clock.advance(retryWatchingMs);
  expect(watches.isExhausted).toBe(false);
  expect(await watches.open('/later', listener)).not.toBeNull();
});

test('the default is a quarter of the lowest limit of the operating system, at most 32,768', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filestead-watches-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const limit = (value: string): string => {
    const file = join(folder, value);
    writeFileSync(file, `${value}\n`);
    return file;
  };
  expect(defaultWatchFolders(systemWatchLimit([limit('1000'), limit('8192')]))).toBe(250);
  expect(defaultWatchFolders(systemWatchLimit([limit('1000000'), join(folder, 'missing')]))).toBe(32_768);
});
