import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PreviewCache, openPreviewCache } from './preview-cache.ts';

let top: string;
let folder: string;
let errors: unknown[];
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'filestead-cache-'));
  folder = join(top, 'previews');
  errors = [];
});
afterEach(() => rm(top, { recursive: true, force: true }));

const open = (maxBytes = 1_000_000): PreviewCache =>
  openPreviewCache({ folder, maxBytes, onTrouble: (error) => errors.push(error) });
const picture = (fill: number, length = 1000) => ({
  mediaType: 'image/jpeg',
  bytes: Buffer.alloc(length, fill),
});

/** Too large to be kept in memory. */
const largeBytes = 40_000;

/** Returns the paths of all stored files. */
async function storedFiles(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('returns stored entries, also after a restart, and nothing else', async () => {
  const cache = open();
  expect(await cache.get('one')).toBeNull();
  await cache.put('one', picture(1));
  await cache.put('two', { mediaType: 'image/png', bytes: Buffer.from('other') });
  for (const opened of [cache, open()]) {
    expect(await opened.get('one')).toEqual(picture(1));
    expect((await opened.get('two'))?.mediaType).toBe('image/png');
    expect(await opened.get('three')).toBeNull();
  }
  expect(await open().usedBytes()).toBe(await cache.usedBytes());
});

test('finds new entries after its folder was replaced', async () => {
  const cache = open();
  await cache.put('one', picture(1, largeBytes));
  expect(await cache.get('one')).toEqual(picture(1, largeBytes));
  await rm(folder, { recursive: true });
  expect(await cache.get('one')).toBeNull();
  await cache.put('one', picture(2, largeBytes));
  expect(await cache.get('one')).toEqual(picture(2, largeBytes));
  await cache.close();
});

test('keeps small pictures in memory until they are replaced', async () => {
  const cache = open();
  await cache.put('one', picture(1));
  expect(await cache.get('one')).toEqual(picture(1));
  for (const path of await storedFiles()) await rm(path);
  expect(await cache.get('one')).toEqual(picture(1));
  await cache.put('one', picture(2));
  expect(await cache.get('one')).toEqual(picture(2));
});

test('creates folders and files that only the owner can read', async () => {
  await open().put('one', picture(1));
  const [path = ''] = await storedFiles();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
});

test('removes the least recently used entries to stay within its limit', async () => {
  const cache = open(10_500);
  for (let index = 0; index < 9; index += 1) await cache.put(`key ${index}`, picture(index));
  await cache.get('key 0');
  for (let index = 9; index < 12; index += 1) await cache.put(`key ${index}`, picture(index));
  expect(await cache.get('key 0')).not.toBeNull();
  expect(await cache.get('key 1')).toBeNull();
  expect(await cache.get('key 11')).not.toBeNull();
  for (let index = 12; index < 60; index += 1) await cache.put(`key ${index}`, picture(index));
  expect(await cache.usedBytes()).toBeLessThanOrEqual(10_500);
  const sizes = await Promise.all((await storedFiles()).map(async (path) => (await stat(path)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(await cache.usedBytes());
});

test('applies a lower limit after a restart when an entry is added', async () => {
  const cache = open();
  for (let index = 0; index < 10; index += 1) await cache.put(`key ${index}`, picture(index));
  const smaller = open(5_000);
  await smaller.put('new', picture(1));
  expect(await smaller.usedBytes()).toBeLessThanOrEqual(5_000);
  expect(await smaller.get('new')).not.toBeNull();
});

test('does not store a picture above the limit, and none with the limit 0', async () => {
  const cache = open(500);
  await cache.put('one', picture(1));
  expect(await cache.get('one')).toBeNull();
  const none = open(0);
  await none.put('one', picture(1, 1));
  expect(await none.get('one')).toBeNull();
});

test.each([
  ['a changed byte', (bytes: Buffer) => Buffer.from(bytes.with(bytes.length - 1, 99))],
  ['a changed media type', (bytes: Buffer) => Buffer.from(bytes.with(40, 99))],
  ['a cut end', (bytes: Buffer) => bytes.subarray(0, -5)],
  ['nothing', () => Buffer.alloc(0)],
  ['foreign content', () => Buffer.from('<script>')],
])('removes an entry after %s', async (_, damage) => {
  const cache = open();
  await cache.put('one', picture(1));
  const [path = ''] = await storedFiles();
  await writeFile(path, damage(await readFile(path)));
  expect(await cache.get('one')).toBeNull();
  expect(await cache.get('one')).toBeNull();
  await cache.put('one', picture(2));
  expect(await cache.get('one')).toEqual(picture(2));
});

test('handles entries and folders that were removed by another program', async () => {
  const cache = open();
  await cache.put('one', picture(1));
  await rm(folder, { recursive: true });
  expect(await cache.get('one')).toBeNull();
  await cache.put('one', picture(1));
  expect(await cache.get('one')).toEqual(picture(1));
  expect(errors).toEqual([]);
});

test('reports a read-only disk, and previews are still sent', async () => {
  await writeFile(folder, 'a file where the folder should be');
  const cache = open();
  await cache.put('one', picture(1));
  expect(await cache.get('one')).toBeNull();
  expect(errors).toHaveLength(1);
});

test('removes unfinished entries of a killed server, but no foreign files', async () => {
  await mkdir(join(folder, 'ab'), { recursive: true });
  const [leftover, foreign] = [join(folder, 'ab', 'x.part'), join(folder, 'ab', 'notes.txt')];
  await writeFile(leftover, 'half');
  await writeFile(foreign, 'mine');
  open().prepare();
  await expect.poll(storedFiles).not.toContain(leftover);
  expect(await storedFiles()).toEqual([foreign]);
});
