import type { FolderChanges } from '@filestead/contract/endpoints/live';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestClock, type TestClock } from '../../test/test-clock.ts';
import { rowOf } from '../files/listing/entry-text.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type Delta,
  LiveFolder,
  relistIntervalMs,
  firstCollectMs,
  collectMs,
  retryMs,
} from './live-folder.ts';

let clock: TestClock;
let storage: Storage;
let folder: LiveFolder;
/** The number of times that a storage was opened to read rows or to observe. */
let opened: number;
beforeEach(async () => {
  clock = openTestClock(0, { isStopped: true });
  storage = await openMemoryStorage({ '/docs/a.txt': 'a', '/docs/b.txt': 'b' });
  opened = 0;
  folder = new LiveFolder(virtualPath('/docs'), {
    open: async () => {
      opened += 1;
      return { storage, release: () => undefined };
    },
    rowOf,
    clock,
    random: () => 1,
  });
  await folder.start();
});
afterEach(() => folder.close());

const addChange = (...names: string[]): void => folder.addChange({ names, renamed: [] });
const parsed = ({ json }: Delta): FolderChanges | null =>
  json === null ? null : (JSON.parse(json) as FolderChanges);
const namesOf = (changes: FolderChanges | null): string[] => (changes?.changed ?? []).map(([name]) => name);
const countCalls = (): (() => number) => {
  let calls = 0;
  folder.subscribe(() => void (calls += 1));
  return () => calls;
};

test('collects the first changes for 50 ms and further ones for 250 ms', () => {
  const calls = countCalls();
  addChange('a.txt');
  clock.advance(firstCollectMs - 1);
  expect(calls()).toBe(0);
  clock.advance(1);
  expect(calls()).toBe(1);
  addChange('a.txt');
  clock.advance(firstCollectMs);
  addChange('b.txt');
  expect(calls()).toBe(1);
  clock.advance(collectMs - firstCollectMs);
  expect(calls()).toBe(2);
});

test('sends the rows of all names changed since a version, and reads them once for several windows', async () => {
  const { version } = folder;
  addChange('a.txt');
  clock.advance(firstCollectMs);
  addChange('gone.txt');
  clock.advance(collectMs);
  const before = opened;
  const [one, two] = await Promise.all([folder.changesSince(version), folder.changesSince(version)]);
  expect(opened - before).toBe(1);
  expect(one).toBe(two);
  expect(namesOf(parsed(one))).toEqual(['a.txt']);
  expect(parsed(one)?.removed).toEqual(['gone.txt']);
  expect(parsed(await folder.changesSince(one.version))).toBeNull();
});

test('asks the client to list the folder again when more names changed than one change may contain', async () => {
  const { version } = folder;
  addChange(...Array.from({ length: 501 }, (_, index) => `${index}`));
  clock.advance(firstCollectMs);
  expect(parsed(await folder.changesSince(version))).toMatchObject({ again: true, version: folder.version });
});

test('asks clients to list the folder again at most every two seconds', () => {
  const calls = countCalls();
  const addAny = (): void => folder.addChange({ names: null, renamed: [] });
  addAny();
  clock.advance(firstCollectMs);
  expect(calls()).toBe(1);
  addAny();
  clock.advance(relistIntervalMs - 1);
  expect(calls()).toBe(1);
  clock.advance(1);
  expect(calls()).toBe(2);
});

test('asks the windows of a folder at different times to list it again', () => {
  const calls = Array.from({ length: 11 }, countCalls);
  folder.addChange({ names: null, renamed: [] });
  clock.advance(firstCollectMs);
  expect(calls.map((count) => count())).toEqual(calls.map(() => 0));
  clock.advance(200);
  expect(calls.map((count) => count())).toEqual(calls.map(() => 1));
});

test('asks clients to list the folder again when their version is missing, malformed, or not one of this folder', async () => {
  for (const version of ['unknown-0', `${folder.version}9`, undefined, '', 'at-x'])
    expect(parsed(await folder.changesSince(version))).toMatchObject({ again: true });
});

test('sends entries whose times are after the listing when the folder was not observed then', async () => {
  const beforeObservation = Date.now() - 60_000;
  expect(parsed(await folder.changesSince(`at-${beforeObservation}`))).toMatchObject({ again: true });
  expect(parsed(await folder.changesSince(`at-${Date.now() + 60_000}`))).toBeNull();
});

test('sends a rename when the first name is gone and the second one exists', async () => {
  const { version } = folder;
  folder.addChange({
    names: ['old.txt', 'a.txt', 'b.txt'],
    renamed: [
      ['old.txt', 'a.txt'],
      ['a.txt', 'b.txt'],
    ],
  });
  clock.advance(firstCollectMs);
  expect(parsed(await folder.changesSince(version))?.moved).toEqual([['old.txt', 'a.txt']]);
});

test('asks clients to list a folder again that was replaced, and retries to observe it while it is missing', async () => {
  const calls = countCalls();
  await storage.move(virtualPath('/docs'), virtualPath('/away'), { overwrite: false });
  await expect.poll(() => folder.source).toBe('polling');
  clock.advance(firstCollectMs);
  expect(calls()).toBe(1);
  await storage.move(virtualPath('/away'), virtualPath('/docs'), { overwrite: false });
  await expect
    .poll(() => {
      clock.advance(retryMs);
      return folder.source;
    })
    .toBe('events');
  clock.advance(relistIntervalMs);
  expect(calls()).toBeGreaterThan(1);
});
