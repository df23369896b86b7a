import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { User } from '@filestead/contract/users';
import { prepareStage } from './stage.ts';
import { type Reading, readAsNames, readingOf, traversalForms } from './traversal-forms.ts';

const { attack } = prepareStage({
  users: [],
  settings: { rules: [{ regex: false, allow: false, path: '/docs/secret', regexp: null }] },
});
const ownFolder = ['root/users/alice'];
/** Six levels up. */
const six = (form: string): string => form.repeat(6);

describe('reading', () => {
  for (const form of traversalForms) {
    attack(
      'PT-01',
      async ({ request, folder }) => {
        for (const prefix of [
          '/api/resources',
          '/api/raw',
          '/api/usage',
          '/api/preview/big',
          '/api/recursive',
        ]) {
          const outsideFolder = `${form.repeat(9)}${folder.slice(1)}/out`;
          const responses = await Promise.all(
            [
              'canary-root.txt',
              'no-such-file.txt',
              `${outsideFolder}/canary-out.txt`,
              `${outsideFolder}/no-such-file`,
            ].map((end) => request('alice', 'GET', `${prefix}/docs/${six(form)}${end}`)),
          );
          const [inside, missing, outside, missingOutside] = responses.map(
            ({ status, text }) => `${status} ${text}`,
          );
          const refusal = readAsNames.has(form) ? 404 : 400;
          for (const { status } of responses) expect(status, prefix).toBe(refusal);
          expect(inside).toBe(missing);
          expect(outside).toBe(missingOutside);
        }
      },
      { note: JSON.stringify(form) },
    );
  }
});

/** The expected statuses of the requests of PT-03, in order. The first two may create entries that the others find. */
const writeStatuses: Readonly<Record<Reading, readonly number[]>> = {
  step: [400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  name: [200, 200, 404, 404, 404, 404, 409, 409, 409, 404],
  twice: [200, 200, 404, 404, 404, 404, 400, 409, 409, 404],
  uncreatable: [400, 400, 404, 404, 404, 404, 400, 400, 400, 404],
  // The escaped destination is an ordinary name.
  unescaped: [400, 400, 400, 400, 400, 400, 400, 200, 400, 400],
};
/** The expected statuses of the archives of PT-05, in order. */
const archiveStatuses: Readonly<Record<Reading, readonly number[]>> = {
  step: [400, 400, 400],
  name: [404, 404, 404],
  twice: [400, 404, 400],
  uncreatable: [404, 404, 404],
  unescaped: [400, 404, 400],
};

describe('writing', () => {
  for (const form of traversalForms) {
    attack(
      'PT-03',
      async ({ request }) => {
        const target = `/api/resources/docs/${six(form)}`;
        const statuses: number[] = [];
        for (const [method, path, body] of [
          ['POST', `${target}pwn.txt?override=true`, 'x'],
          ['POST', `${target}pwn/`, ''],
          ['PUT', `${target}canary-root.txt`, 'x'],
          ['DELETE', `${target}canary-root.txt`, ''],
          ['PATCH', `${target}canary-root.txt?action=copy&destination=/got.txt`, ''],
          ['PATCH', `${target}canary-root.txt?action=rename&destination=/got.txt`, ''],
          ['PATCH', `/api/resources/a.txt?action=copy&destination=/docs/${six(form)}pwn.txt`, ''],
          [
            'PATCH',
            `/api/resources/a.txt?action=copy&destination=${encodeURIComponent(`/docs/${six(form)}pwn.txt`)}`,
            '',
          ],
          ['POST', `/api/tus/docs/${six(form)}pwn.txt`, ''],
          ['POST', `/api/share/docs/${six(form)}canary-root.txt`, ''],
        ] as const) {
          const headers = { 'Upload-Length': '3' };
          const { status } = await request('alice', method, path, { body, headers });
          statuses.push(status);
        }
        expect(statuses).toEqual(writeStatuses[readingOf(form)]);
        const job = { kind: 'copy', items: [{ from: `/docs/${six(form)}canary-root.txt`, to: '/job.txt' }] };
        expect(await request('alice', 'POST', '/api/jobs', { json: job })).toHaveProperty('status');
      },
      { note: JSON.stringify(form), changes: ownFolder },
    );
  }
});

describe('archives', () => {
  for (const form of traversalForms) {
    attack(
      'PT-05',
      async ({ request }) => {
        const out = `${form.repeat(3)}canary-root.txt`;
        const statuses: number[] = [];
        for (const files of [`a.txt,${out}`, `a.txt,${encodeURIComponent(out)}`, `${form}bob/a.txt`]) {
          const response = await request('alice', 'GET', `/api/raw/docs/?files=${files}&algo=zip`);
          statuses.push(response.status);
        }
        expect(statuses).toEqual(archiveStatuses[readingOf(form)]);
      },
      { note: JSON.stringify(form) },
    );
  }
  attack('PT-05', async ({ request }) => {
    for (const [files, expected] of [
      ['/users/bob/a.txt', 404],
      ['..', 400],
      ['%2e%2e%2fsecret', 400],
      ['secret', 403],
      ['%252e%252e', 400],
      ['../secret/deny.txt', 400],
    ] as const) {
      const response = await request('alice', 'GET', `/api/raw/docs/?files=${files}&algo=tar`);
      expect(response.status, files).toBe(expected);
    }
    const { status, body } = await request('alice', 'GET', '/api/raw/docs/?files=a.txt,ok.txt&algo=tar');
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(1_000);
  });
});

attack('PT-07', async ({ request, deny }) => {
  deny('root/users/alice/docs/secret');
  for (const path of [
    'docs/secret/deny.txt',
    'docs%2Fsecret%2Fdeny.txt',
    'docs/secret%2fdeny.txt',
    'docs%2fsecret/deny.txt',
    './docs/./secret/deny.txt',
    '/docs//secret//deny.txt',
    '%2Fdocs%2F%2Fsecret%2F%2Fdeny.txt',
    'docs/secret/%2e/deny.txt',
  ]) {
    for (const prefix of ['/api/raw', '/api/resources', '/api/preview/thumb', '/api/recursive']) {
      expect((await request('alice', 'GET', `${prefix}/${path}`)).status, path).toBe(403);
    }
  }
  for (const [path, expected] of [
    ['docs%5Csecret%5Cdeny.txt', 404],
    ['docs/x/..;/secret/deny.txt', 404],
    ['docs/x/../secret/deny.txt', 400],
  ] as const) {
    expect((await request('alice', 'GET', `/api/raw/${path}`)).status, path).toBe(expected);
  }
  // A permitted file, in every spelling.
  for (const path of ['docs/ok.txt', 'docs%2Fok.txt', './docs/./ok.txt', '/docs//ok.txt']) {
    expect((await request('alice', 'GET', `/api/raw/${path}`)).status, path).toBe(200);
  }
});

attack('PT-09', async ({ request, status }) => {
  for (const character of ['%00', '%01', '%0a', '%0d', '%1b', '%7f']) {
    const name = `a.txt${character}.png`;
    const expected = character === '%00' ? 400 : 404;
    expect(await status('alice', 'GET', `/api/resources/${name}`), character).toBe(expected);
    expect(await status('alice', 'GET', `/api/raw/${name}`), character).toBe(expected);
    expect(await status('alice', 'PUT', `/api/resources/${name}`, { body: 'x' }), character).toBe(expected);
    expect(await status('alice', 'DELETE', `/api/resources/${name}`), character).toBe(expected);
    expect(await status('alice', 'GET', `/api/raw/?files=${encodeURIComponent(name)}`), character).toBe(
      expected,
    );
    expect(await status('alice', 'POST', `/api/share/${name}`), character).toBe(expected);
    // Names of new entries.
    const created = await request('alice', 'POST', `/api/resources/${name}`, { body: 'x' });
    expect(created.status, character).toBe(400);
    for (const destination of [name, encodeURIComponent(name)]) {
      const copied = await request(
        'alice',
        'PATCH',
        `/api/resources/a.txt?action=copy&destination=/${destination}`,
      );
      expect(copied.status, character).toBe(400);
    }
    expect(await status('alice', 'GET', `/api/search/?query=${character}`), character).toBe(200);
  }
});

attack('PT-11', async ({ request, status }) => {
  for (const [form, expected] of [
    ['/../alice2/canary.txt', 400],
    ['/%2e%2e/alice2/canary.txt', 400],
    ['2/canary.txt', 404],
    ['/..%2falice2%2fcanary.txt', 400],
  ] as const) {
    for (const [method, target] of [
      ['GET', `/api/resources${form}`],
      ['GET', `/api/raw${form}`],
      ['POST', `/api/share${form}`],
      ['GET', `/api/raw/?files=${encodeURIComponent(form)}`],
      ['PATCH', `/api/resources/${form}?action=copy&destination=/x.txt`],
    ] as const) {
      expect(await status('alice', method, target), `${method} ${target}`).toBe(expected);
    }
  }
  const moved = await request(
    'alice',
    'PATCH',
    '/api/resources/a.txt?action=rename&destination=/../alice2/a.txt',
  );
  expect(moved.status).toBe(400);
});

attack('PT-13', async ({ app, request }) => {
  const before = await app.fetch('/', { headers: { 'accept-language': '../../x' } });
  // This server has no page.
  expect(before.status).toBe(404);
  expect(
    (await request('', 'GET', '/health?lang=x/../../y', { headers: { 'Accept-Language': '../../x' } }))
      .status,
  ).toBe(200);
  const { id } = (
    (await app.fetch('/api/users', { token: await app.signIn('admin') }).then((a) => a.json())) as User[]
  ).find(({ username }) => username === 'alice') ?? { id: 0 };
  for (const locale of ['../../package', '/etc/passwd', 'en/../x', 'xx', '__proto__']) {
    const json = { what: 'user', which: ['locale'], data: { id, locale } };
    expect((await request('alice', 'PUT', `/api/users/${id}`, { json })).status, locale).toBe(400);
  }
  const json = { what: 'user', which: ['locale'], data: { id, locale: 'de' } };
  expect((await request('alice', 'PUT', `/api/users/${id}`, { json })).status).toBe(200);
});

attack('PT-15', async ({ share, status }) => {
  const { hash } = await share('alice', '/b.txt');
  for (const [path, expected] of [
    ['/api/public/share/..%2f..%2f', 400],
    ['/api/public/dl/%00', 404],
    ['/api/public/share/', 404],
    ['/api/public/share/__proto__/x', 404],
    ['/api/public/dl/constructor/x', 404],
    [`/api/public/dl/${'a'.repeat(10_000)}`, 404],
    ['/api/public/share/%2f%2f', 404],
  ] as const) {
    expect(await status('', 'GET', path), path.slice(0, 60)).toBe(expected);
  }
  for (const [path, expected] of [
    ['/api/share/', 400],
    ['/api/share/../', 404],
    ['/api/share/%2f', 404],
    ['/api/share/..', 404],
    ['/api/share/__proto__', 404],
  ] as const) {
    expect(await status('alice', 'DELETE', path), path).toBe(expected);
  }
  expect(await status('alice', 'DELETE', `/api/share/${hash}`)).toBe(200);
});

attack('PT-17', async ({ request, app }) => {
  const users = (await (
    await app.fetch('/api/users', { token: await app.signIn('admin') })
  ).json()) as User[];
  const id = users.find(({ username }) => username === 'alice')?.id;
  for (const name of [
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Forwarded-Prefix',
    'X-Forwarded-Path',
    'X-HTTP-Method-Override',
  ]) {
    for (const value of ['/api/settings', '//evil.example', 'DELETE']) {
      const response = await request('alice', 'GET', `/api/users/${id}`, { headers: { [name]: value } });
      expect(response.status).toBe(200);
      expect(JSON.parse(response.text)).toMatchObject({ id, username: 'alice' });
      expect(response.raw.toString('latin1')).not.toContain('evil.example');
    }
  }
});

attack(
  'PT-19',
  async ({ request, app, status }) => {
    const create = (path: string): Promise<number> =>
      status('alice', 'POST', `/api/resources/${path}`, { body: 'x' });
    expect(await create('n'.repeat(255))).toBe(200);
    expect(await create('n'.repeat(256))).toBe(400);
    expect(await create(encodeURIComponent('😀'.repeat(63)))).toBe(200);
    expect(await create(encodeURIComponent('😀'.repeat(255)))).toBe(400);
    expect(await create(`${'d/'.repeat(2_500)}f`)).toBe(400);
    expect(await status('alice', 'GET', `/api/resources/${'d/'.repeat(300)}f`)).toBe(400);
    expect((await request('alice', 'GET', `/api/resources/${'n'.repeat(40_000)}`)).status).toBe(431);
    const names = await readdir(join(app.root, 'users/alice'));
    expect(names.filter((name) => name.startsWith('d') && !name.startsWith('docs'))).toEqual([]);
  },
  { changes: ownFolder },
);

attack('PT-23', async ({ request, folder }) => {
  const before = readdirSync(join(folder, 'root/users/alice'));
  const dots = ['\uff0e\uff0e', '\u2024\u2024', '\u2025', '.\uff0e', '\u2024.'];
  const slashes = ['\uff0f', '\u2215', '\uff3c', '\u2044', '/'];
  for (const dot of dots) {
    for (const slash of slashes) {
      // Unescaped they are invalid in an address; escaped they are letters of a name.
      for (const [form, expected] of [
        [`${dot}${slash}`, 400],
        [encodeURIComponent(`${dot}${slash}`), 404],
      ] as const) {
        const response = await request('alice', 'GET', `/api/raw/docs/${form.repeat(3)}canary-root.txt`);
        expect(response.status, form).toBe(expected);
      }
    }
  }
  expect(readdirSync(join(folder, 'root/users/alice'))).toEqual(before);
});
