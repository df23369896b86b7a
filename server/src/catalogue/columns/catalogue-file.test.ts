import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { randomName } from '../catalogue-testing.ts';
import { type LoadedCatalogue, loadCatalogue, saveCatalogue, UnusableFile } from './catalogue-file.ts';
import { Columns, rootEntry } from './columns.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-catalogue-'));
  file = join(folder, 'catalogue');
});
afterEach(() => rmSync(folder, { recursive: true }));

const source = { rootId: '1:2', rules: '/data' };

/** A catalogue of `count` files. */
function catalogueOf(count: number): LoadedCatalogue {
  const random = randomOf(count);
  const columns = new Columns();
  for (let i = 0; i < count; i++)
    columns.insert(rootEntry, { name: `${i} ${randomName(random)}`, kind: 0, size: i, blocks: 0, time: i });
  columns.endRun(rootEntry);
  columns.finishBuilding();
  return { columns, checkedAt: count, readAt: 1, isCut: false };
}

const countOf = (loaded: LoadedCatalogue | null): number | null =>
  loaded === null ? null : [...loaded.columns.children(rootEntry)].length;

test('a saved catalogue is loaded as it was, and its file is private', () => {
  saveCatalogue(file, source, catalogueOf(500));
  const loaded = loadCatalogue(file, source);
  expect(countOf(loaded)).toBe(500);
  expect(loaded).toMatchObject({ checkedAt: 500, readAt: 1, isCut: false });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['catalogue']);
});

test('loading returns null without a file', () => {
  expect(loadCatalogue(file, source)).toBeNull();
});

test('a save that is interrupted at any step leaves the old file or the new one', () => {
  let steps = 0;
  saveCatalogue(file, source, catalogueOf(10), { onStep: () => (steps += 1) });
  expect(steps).toBeGreaterThan(20);
  for (let stop = 1; stop <= steps; stop++) {
    saveCatalogue(file, source, catalogueOf(10));
    let step = 0;
    const interrupt = (): void => {
      step += 1;
      if (step === stop) throw new Error('interrupted');
    };
    expect(() => saveCatalogue(file, source, catalogueOf(20), { onStep: interrupt })).toThrow('interrupted');
    expect(countOf(loadCatalogue(file, source))).toBe(stop === steps ? 20 : 10);
    // A kill leaves the temporary file, which the next save replaces.
    writeFileSync(`${file}.new`, 'half a file');
    saveCatalogue(file, source, catalogueOf(30));
    expect(readdirSync(folder)).toEqual(['catalogue']);
  }
});

test('a file that is truncated anywhere is not used', () => {
  saveCatalogue(file, source, catalogueOf(50));
  const bytes = readFileSync(file);
  for (let length = 0; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 100))) {
    writeFileSync(file, bytes.subarray(0, length));
    expect(() => loadCatalogue(file, source)).toThrow(UnusableFile);
  }
});

test('a file in which a byte is altered is not used', () => {
  saveCatalogue(file, source, catalogueOf(50));
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 200))) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 0x40;
    writeFileSync(file, altered);
    expect(() => loadCatalogue(file, source), `byte ${at}`).toThrow(UnusableFile);
  }
});

test.each([
  ['another folder', { ...source, rootId: '1:3' }],
  ['other exclusions', { ...source, rules: '' }],
])('a file of %s is not used', (_what, other) => {
  saveCatalogue(file, source, catalogueOf(5));
  expect(() => loadCatalogue(file, other)).toThrow(UnusableFile);
});
