import { existsSync, statSync } from 'node:fs';
import { rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentResult, ContentRow } from '@filestead/contract/endpoints/contents';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { makePage, makeWord } from '../../src/contents/contents-testing.ts';
import { rounds } from '../rounds.ts';
import { type StartApp, startApp, type TestApp } from '../start-app.ts';
import { type CatalogueApp, startCatalogueApp, until } from './catalogue-app.ts';

const files = {
  'docs/report.txt': 'The annual report of the harbour, with canaries.',
  'docs/letter.docx': makeWord('Dear harbour master,', 'the canary is missing.'),
  'docs/plan.pdf': makePage(
    'BT /F1 10 Tf [(Har) 5 (bour)] TJ 0 -12 Td (plan of the can-) Tj 0 -12 Td (ary) Tj ET',
  ),
  'private/diary.txt': 'A canary that nobody may find.',
  '.hidden/notes.txt': 'A hidden canary.',
  'change/removed.txt': 'a gannet',
  'change/linked.txt': 'a heron',
  'change/longer.txt': 'a pelican',
  'change/touched.txt': 'a stork',
  'photos/picture.png': 'not a canary',
  'empty.txt': '',
};

let app: CatalogueApp;
let token: string;

const searchAs = async (as: string, query: string, path = '/'): Promise<ContentResult> => {
  app.clock.advance(100);
  const response = await app.fetch(`/api/contents${path}?query=${encodeURIComponent(query)}`, { token: as });
  expect({ query, status: response.status }).toEqual({ query, status: 200 });
  return (await response.json()) as ContentResult;
};
const pathsOf = ({ rows }: ContentResult): string[] => rows.map(({ path }) => path).sort();
const find = async (query: string, path = '/', as = token): Promise<string[]> =>
  pathsOf(await searchAs(as, query, path));

/** Waits until all documents have been read. */
async function waitUntilRead(): Promise<void> {
  await app.waitUntilBuilt();
  // Longer than the delay before the first documents are read.
  app.clock.advance(5_000);
  await until(async () => (await searchAs(token, 'anything')).percent === 100);
}

async function start(setup: StartApp = {}): Promise<void> {
  app = await startCatalogueApp({
    files,
    ...setup,
    config: { contentSearch: 'on', ...setup.config },
  });
  token = await app.signIn('admin');
  await waitUntilRead();
}

describe('GET /api/contents', () => {
  beforeAll(async () => {
    await start({
      users: [
        { username: 'kim', scope: '/docs' },
        { username: 'eve', rules: [{ path: '/private' }, { path: '/docs/report.txt' }], hideDotfiles: true },
        { username: 'ann', perm: { download: false } },
      ],
    });
    return () => app.close();
  });

  it('finds texts, PDF files and office documents by all words, the beginnings of words and phrases', async () => {
    expect(await find('canary')).toEqual([
      '.hidden/notes.txt',
      'docs/letter.docx',
      'docs/plan.pdf',
      'private/diary.txt',
    ]);
    expect(await find('canar harbour')).toEqual(['docs/letter.docx', 'docs/plan.pdf', 'docs/report.txt']);
    expect(await find('"annual report" HÁRBOUR')).toEqual(['docs/report.txt']);
    expect(await find('canary -missing')).toEqual([
      '.hidden/notes.txt',
      'docs/plan.pdf',
      'private/diary.txt',
    ]);
    expect(await find('canary ext:pdf,txt', '/docs')).toEqual(['plan.pdf']);
    expect(await find('canary size:>10M')).toEqual([]);
    expect(await find('ext:pdf')).toEqual([]);
    expect(await find('"')).toEqual([]);
  });

  it('returns the part of each file that matches', async () => {
    const { rows, more } = await searchAs(token, 'harbour can');
    const texts = rows.map(({ path, snippet }) => {
      const { text = '', matches = [] } = snippet ?? {};
      return [path, text, matches.map(([from, to]) => text.slice(from, to))] as const;
    });
    expect(texts.sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['docs/letter.docx', 'Dear harbour master, the canary is missing.', ['harbour', 'canary']],
      ['docs/plan.pdf', 'Harbour plan of the canary', ['Harbour', 'canary']],
      ['docs/report.txt', 'The annual report of the harbour, with canaries.', ['harbour', 'canaries']],
    ]);
    expect(more).toBe(false);
    expect(rows.find(({ path }) => path === 'docs/plan.pdf')).toMatchObject({
      type: 'pdf',
      size: files['docs/plan.pdf'].length,
    });
  });

  it('returns at most as many rows as requested, and says whether there are more', async () => {
    const response = await app.fetch('/api/contents/?query=canary&limit=2', { token });
    expect(await response.json()).toMatchObject({ rows: [{}, {}], more: true, percent: 100 });
  });

  it('sends lines as soon as their files were read', async () => {
    const response = await app.fetch('/api/contents/docs?query=canary', {
      token,
      headers: { accept: 'application/x-ndjson' },
    });
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Partial<ContentRow>).path).sort()).toEqual([
      'letter.docx',
      'plan.pdf',
      undefined,
    ]);
    expect(lines.at(-1)).toBe('{"end":true,"more":false,"percent":100}');
  });

  it('finds only files that the user may list and download', async () => {
    const [kim, eve, ann] = [await app.signIn('kim'), await app.signIn('eve'), await app.signIn('ann')];
    expect(await find('canar', '/', kim)).toEqual(['letter.docx', 'plan.pdf', 'report.txt']);
    expect(await find('canar', '/', eve)).toEqual(['docs/letter.docx', 'docs/plan.pdf']);
    expect((await app.fetch('/api/contents/private?query=canary', { token: eve })).status).toBe(403);
    expect((await app.fetch('/api/contents/?query=canary', { token: ann })).status).toBe(403);
    expect((await app.fetch('/api/contents/?query=canary')).status).toBe(401);
  });

  it('returns the expected status for bad and unusual requests', async () => {
    const statuses: [string, string, number][] = [
      ['no query', '/api/contents/', 400],
      ['a missing folder', '/api/contents/none?query=a', 404],
      ['a file', '/api/contents/docs/report.txt?query=a', 200],
      ['a query that is too long', `/api/contents/?query=${'a'.repeat(1025)}`, 400],
      ['the longest query', `/api/contents/?query=${'a%20'.repeat(512)}`, 200],
      ['too many rows', '/api/contents/?query=a&limit=101', 400],
      ['the syntax of the index', `/api/contents/?query=${encodeURIComponent('text:x AND (b OR "c')}`, 200],
      ['NUL', '/api/contents/?query=a%00b', 200],
      ['asterisks', '/api/contents/?query=***%20*a', 200],
    ];
    for (const [name, path, status] of statuses)
      expect({ name, status: (await app.fetch(path, { token })).status }).toEqual({ name, status });
  });

  it('follows changes by this server and by other programs', async () => {
    const send = async (method: string, path: string, body?: string): Promise<void> => {
      const response = await app.fetch(path, { method, token, ...(body === undefined ? {} : { body }) });
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
    };
    await send('POST', '/api/resources/new/parrot.txt', 'a parrot');
    await expect.poll(() => find('parrot')).toEqual(['new/parrot.txt']);
    await send('PATCH', '/api/resources/new?action=rename&destination=%2Fbirds');
    await expect.poll(() => find('parrot')).toEqual(['birds/parrot.txt']);
    await send('PUT', '/api/resources/birds/parrot.txt', 'an owl instead');
    await expect.poll(() => find('owl')).toEqual(['birds/parrot.txt']);
    expect(await find('parrot')).toEqual([]);
    await send('DELETE', '/api/resources/birds');
    await expect.poll(() => find('owl')).toEqual([]);

    await rm(join(app.root, 'change/removed.txt'));
    await writeFile(join(app.root, 'change/added.md'), 'a cormorant of another program');
    expect(await find('gannet')).toEqual([]);
    await app.sweep();
    await expect.poll(() => find('cormorant')).toEqual(['change/added.md']);
  });

  it('says that everything was read only if the changes of earlier requests are in the index', async () => {
    for (let i = 0; i < rounds(5); i++) {
      const path = `uploads/${i}/dodo ${i}.txt`;
      const response = await app.fetch(`/api/resources/${encodeURIComponent(path)}`, {
        method: 'POST',
        token,
        body: `dodo ${i}`,
      });
      expect(response.status).toBe(200);
      let found = await searchAs(token, `dodo ${i}`);
      await until(async () => {
        if (found.percent !== 100) found = await searchAs(token, `dodo ${i}`);
        return found.percent === 100;
      });
      expect(pathsOf(found)).toEqual([path]);
    }
  });

  it('returns no file that was replaced since it was read', async () => {
    await rm(join(app.root, 'change/linked.txt'));
    await symlink('../docs/report.txt', join(app.root, 'change/linked.txt'));
    expect(await find('heron')).toEqual([]);
    await writeFile(join(app.root, 'change/longer.txt'), 'Something else, and longer than the text before.');
    expect(await find('pelican')).toEqual([]);
    await utimes(join(app.root, 'change/touched.txt'), 1, 1);
    const { rows, percent } = await searchAs(token, 'stork');
    expect(rows).toEqual([]);
    // The changed file has to be read again.
    expect(percent).toBeLessThan(100);
    await expect.poll(() => find('stork')).toEqual(['change/touched.txt']);
  });

  it('keeps its index in a private file, releases it when no user is active, and continues afterwards', async () => {
    const file = join(app.data, 'contents');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const log = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    app.clock.advance(11 * 60_000);
    await until(() => log() === 0);
    expect(await find('harbour', '/docs')).toEqual(['letter.docx', 'plan.pdf', 'report.txt']);
  });
});

test('a server without the search in contents refuses it, removes the index and starts no threads', async () => {
  const off: TestApp = await startApp({ files, config: { catalogue: 'on' } });
  app = off as CatalogueApp;
  token = await app.signIn('admin');
  const response = await app.fetch('/api/contents/?query=a', {
    token,
    headers: { accept: 'application/json' },
  });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: 'contents_off' });
  app.clock.advance(60 * 60_000);
  expect(existsSync(join(app.data, 'contents'))).toBe(false);
  await app.close();
});
