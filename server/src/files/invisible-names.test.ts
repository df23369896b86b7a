import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: { 'a.txt': 'a', '\u3164/kept.txt': 'kept', '\u200b': 'invisible', 'docs/': '' },
  });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const asJson = { accept: 'application/json' };
const invisible: readonly [string, string][] = [
  ['a blank', ' '],
  ['no-break spaces', '\u00a0\u00a0'],
  ['an ideographic space', '\u3000'],
  ['a joiner', '\u200d'],
  ['a byte order mark', '\ufeff'],
  ['a Hangul filler', '\uffa0'],
  ['an empty Braille pattern', '\u2800'],
  ['a soft hyphen', '\u00ad'],
  ['a variation selector', '\ufe0f'],
  ['a tag', '\u{e0041}'],
  ['several of them', ' \u200b\u2060\u3164'],
];

describe.each(invisible)('a name that consists of %s only', (_title, name) => {
  const path = encodeURIComponent(name);
  test.each([
    ['a file', 'POST', `/api/resources/${path}`],
    ['a folder', 'POST', `/api/resources/${path}/`],
    ['a parent folder', 'POST', `/api/resources/${path}/b.txt`],
    [
      'a renamed file',
      'PATCH',
      `/api/resources/a.txt?action=rename&destination=%2F${encodeURIComponent(path)}`,
    ],
    ['a copy', 'PATCH', `/api/resources/a.txt?action=copy&destination=%2F${encodeURIComponent(path)}`],
    ['a resumable upload', 'POST', `/api/tus/${path}`],
  ])('is refused for %s', async (_kind, method, target) => {
    const response = await app.fetch(target, {
      method,
      token,
      headers: {
        ...asJson,
        ...(target.startsWith('/api/tus') ? { 'tus-resumable': '1.0.0', 'upload-length': '1' } : {}),
      },
      ...(method === 'POST' && !target.startsWith('/api/tus') ? { body: 'x' } : {}),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_name',
      detail: 'the name consists of invisible characters only',
    });
  });
});

test('an existing entry with an invisible name can be read, written and renamed', async () => {
  const read = await app.fetch(`/api/raw/${encodeURIComponent('\u200b')}`, { token });
  expect(await read.text()).toBe('invisible');
  const folder = encodeURIComponent('\u3164');
  const inside = await app.fetch(`/api/resources/${folder}/new.txt`, { method: 'POST', token, body: 'x' });
  expect(inside.status).toBe(200);
  const renamed = await app.fetch(`/api/resources/${folder}?action=rename&destination=%2Fvisible`, {
    method: 'PATCH',
    token,
  });
  expect(renamed.status).toBe(200);
  expect((await app.fetch('/api/resources/visible/kept.txt', { token })).status).toBe(200);
});

test('a name with visible characters may contain blanks and emoji', async () => {
  for (const name of ['my file', '\u2764\ufe0f', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}']) {
    const response = await app.fetch(`/api/resources/${encodeURIComponent(name)}`, {
      method: 'POST',
      token,
      body: 'x',
    });
    expect(response.status, name).toBe(200);
  }
});
