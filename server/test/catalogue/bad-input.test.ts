import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxPathDepth } from '@filestead/contract/paths/virtual-path';
import { afterEach, describe, expect, it } from 'vitest';
import { Mounts } from '../fixtures/mounts.ts';
import { type CatalogueApp, startCatalogueApp } from './catalogue-app.ts';

let app: CatalogueApp;
afterEach(() => app.close());

/** Creates folders in each other, also where their path is longer than the system accepts. Returns the file descriptor of the last one. */
function makeNested(top: string, levels: number): number {
  let folder = openSync(top, 'r');
  for (let level = 0; level < levels; level++) {
    mkdirSync(`/proc/self/fd/${folder}/d`);
    const inner = openSync(`/proc/self/fd/${folder}/d`, 'r');
    closeSync(folder);
    folder = inner;
  }
  return folder;
}

describe('a ranked search', () => {
  it('answers any query, however odd', async () => {
    app = await startCatalogueApp({ files: { 'report.txt': 'x' } });
    await app.waitUntilBuilt();
    const token = await app.signIn('admin');
    const statusOf = async (query: string): Promise<number> =>
      (await app.fetch(`/api/find/?query=${query}`, { token })).status;
    for (const query of [
      'r',
      '%E5%86%99',
      '*',
      '%3F%3F%3F%3F%3F%3F%3F%3F*',
      `${'*a'.repeat(400)}`,
      '%22',
      '-',
      '--',
      'ext:',
      'tag:%20in:%20kind:',
      'size:%3E%3E%3E',
      'changed:9999999999999999d',
      '%F0%9F%98%80',
      '%CC%81',
      '%E2%80%AE',
    ])
      expect([query, await statusOf(query)]).toEqual([query, 200]);
    // Half of a surrogate pair is no UTF-8.
    for (const query of ['%ED%A0%80', '%ff', '%'])
      expect([query, (await statusOf(query)) < 500]).toEqual([query, true]);
    expect((await app.find(token, '/', 'query=report')).rows.map(({ path }) => path)).toEqual(['report.txt']);
  });

  it('presents times outside of the usual range as listings do', async () => {
    app = await startCatalogueApp({ files: { 'old.txt': 'x', 'new.txt': 'x', 'now.txt': 'x' } });
    const token = await app.signIn('admin');
    const setYear = (name: string, year: number): void => {
      const time = new Date(Date.UTC(year, 0));
      utimesSync(join(app.root, name), time, time);
    };
    // Some file systems store the nearest time that they can.
    setYear('old.txt', 1601);
    setYear('new.txt', 2446);
    await app.waitUntilBuilt();
    await app.sweep();
    const listing = (await (await app.fetch('/api/resources/', { token })).json()) as {
      items: { name: string; modified: string }[];
    };
    const { rows } = await app.find(token, '/', 'query=txt&sort=modified');
    expect(rows.map(({ path }) => path)).toEqual(['new.txt', 'now.txt', 'old.txt']);
    for (const { path, modified } of rows)
      expect([path, modified]).toEqual([path, listing.items.find(({ name }) => name === path)?.modified]);
    // Neither is a recent change.
    expect((await app.find(token, '/', 'query=changed:%3C7d')).rows.map(({ path }) => path)).not.toContain(
      'old.txt',
    );
  });
});

describe('the catalogue of a folder that is mounted into itself', () => {
  const mounts = new Mounts();
  afterEach(() => mounts.release());

  it('contains its entries once', async (context) => {
    const { bind } = mounts.required(context);
    app = await startCatalogueApp({ files: { 'docs/report.txt': 'x', 'docs/inner/letter.txt': 'xx' } });
    mkdirSync(join(app.root, 'docs/inner/again'));
    bind(join(app.root, 'docs'), join(app.root, 'docs/inner/again'));
    const token = await app.signIn('admin');
    await app.waitUntilBuilt();
    await app.sweep();
    const { rows } = await app.find(token, '/', 'query=txt&sort=name');
    expect(rows.map(({ path }) => path)).toEqual(['docs/inner/letter.txt', 'docs/report.txt']);
    expect((await app.totals(token, '/docs')).self).toMatchObject({ bytes: 3, files: 2 });
  });
});

describe('the catalogue of a tree 5,000 folders deep', () => {
  it('contains what a request can reach, and everything beside it', async () => {
    app = await startCatalogueApp({ files: { 'beside.txt': 'x' } });
    const folder = makeNested(app.root, 5_000);
    try {
      writeFileSync(`/proc/self/fd/${folder}/bottom.txt`, 'x');
      const token = await app.signIn('admin');
      await app.waitUntilBuilt();
      await app.sweep();
      expect((await app.find(token, '/', 'query=beside')).rows.map(({ path }) => path)).toEqual([
        'beside.txt',
      ]);
      const { self, rows } = await app.totals(token, '/');
      expect([self?.folders, rows.map(({ name }) => name)]).toEqual([maxPathDepth, ['d']]);
      // No request reaches what is below.
      expect((await app.find(token, '/', 'query=bottom')).rows).toEqual([]);
      const deepest = (levels: number): string => `/api/resources${'/d'.repeat(levels)}`;
      const statusOf = async (path: string): Promise<number> => (await app.fetch(path, { token })).status;
      expect(await statusOf(deepest(maxPathDepth))).toBe(200);
      expect(await statusOf(deepest(maxPathDepth + 1))).toBe(400);
    } finally {
      closeSync(folder);
      execFileSync('rm', ['-rf', join(app.root, 'd')]);
    }
  });
});
