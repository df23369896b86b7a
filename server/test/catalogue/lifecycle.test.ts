import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalogue, CatalogueOptions } from '../../src/catalogue/catalogue.ts';
import { openCatalogue } from '../../src/catalogue/open-catalogue.ts';
import { parseFind } from '../../src/catalogue/query/parse-find.ts';
import { openTreeScan, type TreeScan } from '../../src/storage/disk/scan/open-scan.ts';
import { rootPath } from '@filestead/contract/paths/virtual-path';
import { openTestClock, type TestClock } from '../test-clock.ts';
import { wholeTree } from './whole-tree.ts';

let folder: string;
let log: string[];
let clock: TestClock;
let scan: TreeScan;
let catalogue: Catalogue | undefined;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'filestead-lifecycle-')));
  log = [];
  clock = openTestClock();
  catalogue = undefined;
});
afterEach(async () => {
  await catalogue?.close();
  await rm(folder, { recursive: true, force: true });
});

const note = (_values: unknown, text?: string): void => void log.push(text ?? '');

/** Opens a catalogue of the test's folder; `calls` counts the starts of its threads. */
function open(options: Partial<CatalogueOptions> = {}): { catalogue: Catalogue; starts: () => number } {
  let starts = 0;
  const disk = openTreeScan({ root: folder, excluded: [join(folder, 'catalogue')] }, []);
  scan = {
    ...disk,
    start(budget, onEnd) {
      starts += 1;
      return disk.start(budget, onEnd);
    },
  };
  catalogue = openCatalogue({
    scan,
    options: {
      hasCatalogue: true,
      catalogueEntries: 1_000_000,
      catalogueBudget: 'full',
      scansNetwork: true,
      sweepIntervalMs: 5 * 60_000,
      data: folder,
      ...options,
    },
    rules: '',
    clock,
    log: { info: note, warn: note, error: note, debug: note },
  });
  return { catalogue, starts: () => starts };
}

/** The paths that a search for `text` finds, once the catalogue contains everything. */
async function find(opened: Catalogue, text: string): Promise<string[]> {
  let paths: string[] = [];
  await expect
    .poll(async () => {
      const response = await opened.find({
        visible: wholeTree,
        query: parseFind(text, 0),
        near: null,
        used: [],
        only: null,
        limit: 100,
        sort: 'rank',
        isDescending: false,
        signal: new AbortController().signal,
      });
      paths = response?.rows.map(({ path }) => path) ?? [];
      return response?.coverage;
    })
    .toBe('all');
  return paths;
}

test('the disk is read only while a user is active', async () => {
  const { catalogue: opened, starts } = open();
  clock.advance(60 * 60_000);
  expect(starts()).toBe(0);
  opened.recordActivity();
  expect(starts()).toBe(0);
  clock.advance(1_000);
  await expect.poll(starts).toBe(1);
  await expect.poll(() => log).toContain('catalogue: idle');
  clock.advance(11 * 60_000);
  await expect.poll(() => log).toContain('catalogue: saved');
  const before = log.length;
  clock.advance(60 * 60_000);
  expect(starts()).toBe(1);
  expect(log.length).toBe(before);
  // The next activity starts the threads again, with the saved catalogue and a sweep.
  opened.recordActivity();
  clock.advance(1_000);
  await expect.poll(starts).toBe(2);
  await expect.poll(() => log).toContain('catalogue: loaded');
  await expect.poll(() => log).toContain('catalogue: swept');
});

test('the next start loads the saved catalogue and compares it with the disk', async () => {
  writeFileSync(join(folder, 'first.txt'), '');
  const { catalogue: first } = open();
  expect(await find(first, 'txt')).toEqual(['first.txt']);
  await first.close();
  writeFileSync(join(folder, 'second.txt'), '');
  log = [];
  const { catalogue: second } = open();
  await expect.poll(() => find(second, 'txt')).toEqual(['first.txt', 'second.txt']);
  expect(log).toContain('catalogue: loaded');
  expect(log).not.toContain('the catalogue was built');
});

test('a damaged file is replaced by a new catalogue and logged once', async () => {
  writeFileSync(join(folder, 'first.txt'), '');
  const { catalogue: first } = open();
  await find(first, 'txt');
  await first.close();
  const file = join(folder, 'catalogue');
  writeFileSync(file, readFileSync(file).subarray(0, 100));
  log = [];
  const { catalogue: second } = open();
  expect(await find(second, 'txt')).toEqual(['first.txt']);
  expect(log.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
});

test('a tree with more than the maximum number of entries is only partly in the catalogue', async () => {
  for (let i = 0; i < 1_010; i++) writeFileSync(join(folder, `${i}.txt`), '');
  const { catalogue: opened } = open({ catalogueEntries: 1_000 });
  await expect
    .poll(async () => {
      const response = await opened.totals(wholeTree);
      return [response?.coverage, response?.self?.totals];
    })
    .toEqual(['parts', null]);
  expect(log.filter((line) => line.includes('raise --catalogueEntries'))).toHaveLength(1);
});

test('a folder on a network file system is not scanned unless that is switched on', async () => {
  const { starts } = open({ scansNetwork: false });
  const remote: TreeScan = { ...scan, isRemote: async () => true };
  const opened = openCatalogue({
    scan: remote,
    options: {
      hasCatalogue: true,
      catalogueEntries: 1000,
      catalogueBudget: 'full',
      scansNetwork: false,
      sweepIntervalMs: 60_000,
      data: folder,
    },
    rules: '',
    clock,
    log: { info: note, warn: note, error: note, debug: note },
  });
  expect(await opened.totals(wholeTree)).toBeNull();
  expect(starts()).toBe(0);
  await opened.close();
});

test('threads that end unexpectedly are restarted three times; then the catalogue is off', async () => {
  const ends: ((error: Error) => void)[] = [];
  const { catalogue: opened } = open();
  const start = scan.start.bind(scan);
  Object.assign(scan, {
    start: (...[budget, onEnd]: Parameters<TreeScan['start']>) => {
      ends.push(onEnd);
      return start(budget, onEnd);
    },
  });
  for (let times = 1; times <= 4; times++) {
    expect(opened.isOn).toBe(true);
    expect(await find(opened, '')).toEqual([]);
    ends.at(-1)?.(new Error('the thread ended'));
    await expect
      .poll(() => log.filter((line) => line.includes('a thread of the catalogue ended')).length)
      .toBe(times);
  }
  expect(opened.isOn).toBe(false);
  expect(await opened.totals(wholeTree)).toBeNull();
});

test('a thread that ends while the other one is being started is restarted', async () => {
  const { catalogue: opened } = open();
  const start = scan.start.bind(scan);
  let starts = 0;
  Object.assign(scan, {
    start: async (...[budget, onEnd]: Parameters<TreeScan['start']>) => {
      starts += 1;
      const thread = await start(budget, onEnd);
      if (starts === 1) onEnd(new Error('the thread ended'));
      return thread;
    },
  });
  expect(await find(opened, '')).toEqual([]);
  expect(starts).toBe(2);
  expect(log.filter((line) => line.includes('a thread of the catalogue ended'))).toHaveLength(1);
});

test('a catalogue that cannot be saved is kept in memory, which is logged once', async () => {
  writeFileSync(join(folder, 'first.txt'), '');
  // Something else has the name of its file.
  mkdirSync(join(folder, 'catalogue', 'inside'), { recursive: true });
  const { catalogue: opened } = open();
  expect(await find(opened, 'txt')).toEqual(['first.txt']);
  for (let round = 1; round <= 3; round++) {
    writeFileSync(join(folder, `${round}.txt`), '');
    opened.changed([rootPath]);
    clock.advance(1_000);
    await expect.poll(async () => (await find(opened, 'txt')).length).toBe(1 + round);
    clock.advance(11 * 60_000);
    opened.recordActivity();
    clock.advance(1_000);
  }
  await expect.poll(() => log.filter((line) => line.includes('cannot be saved'))).toHaveLength(1);
  expect(await find(opened, '3.txt')).toEqual(['3.txt']);
});

test('requests do not start sweeps before the interval is over', async () => {
  const { catalogue: opened } = open();
  await find(opened, '');
  await expect.poll(() => log).toContain('catalogue: idle');
  const sweeps = (): number => log.filter((line) => line === 'catalogue: swept').length;
  const before = sweeps();
  for (let times = 0; times < 20; times++) {
    clock.advance(10_000);
    opened.recordActivity();
    await find(opened, '');
  }
  expect(sweeps()).toBe(before);
  clock.advance(5 * 60_000);
  await expect.poll(sweeps).toBe(before + 1);
});
