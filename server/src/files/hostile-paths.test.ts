import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reading, readAsNames, readingOf, traversalForms } from '../../test/security/traversal-forms.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const outside = 'canary-outside';
let app: TestApp;
let alice: string;

beforeAll(async () => {
  app = await startApp({
    files: { '/alice/docs/a.txt': 'inside', '/alice/target.txt': 'mine', '/canary.txt': outside },
    users: [{ username: 'alice', scope: '/alice' }],
  });
  await mkdir(join(app.root, 'alice2'));
  await writeFile(join(app.root, 'alice2/canary.txt'), outside);
  alice = await app.signIn('alice');
});
afterAll(() => app.close());

async function sendRaw(
  method: string,
  target: string,
  body = '',
): Promise<{ status: number; response: string }> {
  const response = await app.rawRequest(
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${alice}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  );
  return { status: Number(response.slice(9, 12)), response };
}

/** The statuses of the requests that write, in their order. */
const writing: Readonly<Record<Reading, readonly number[]>> = {
  step: [400, 400, 400, 400, 400, 400],
  name: [200, 200, 404, 404, 404, 409],
  twice: [200, 200, 404, 404, 404, 400],
  uncreatable: [400, 400, 404, 404, 404, 400],
  unescaped: [400, 400, 400, 400, 400, 400],
};

test.each(traversalForms)('a path that contains %j never reads outside the scope', async (form) => {
  for (const prefix of ['/api/resources', '/api/raw', '/api/usage']) {
    for (const path of [
      `/docs/${form.repeat(6)}canary.txt`,
      `/${form}alice2/canary.txt`,
      `${form}canary.txt`,
    ]) {
      const { status, response } = await sendRaw('GET', prefix + path);
      // Directly after an endpoint's path, dots change it to a path that no endpoint has.
      const isOtherEndpoint = /^(?:\.|%2e)/.test(path);
      expect(status, `${prefix}${path}`).toBe(isOtherEndpoint || readAsNames.has(form) ? 404 : 400);
      expect(response).not.toContain(outside);
      expect(response).not.toContain(app.root);
    }
  }
});

test.each(traversalForms)(
  'a path that contains %j never writes, moves or deletes outside the scope',
  async (form) => {
    // The trash keeps the file that a name with backslashes replaces inside the scope.
    const names = async (): Promise<string[]> =>
      (await readdir(app.root)).filter((name) => name !== '.filestead-trash');
    const before = await names();
    const statuses: number[] = [];
    for (const [method, target, body] of [
      ['POST', `/api/resources/docs/${form.repeat(6)}pwn.txt?override=true`, 'x'],
      ['POST', `/api/resources/docs/${form.repeat(6)}pwn/`, ''],
      ['PUT', `/api/resources/docs/${form.repeat(6)}canary.txt`, 'x'],
      ['DELETE', `/api/resources/docs/${form.repeat(6)}canary.txt`, ''],
      ['PATCH', `/api/resources/docs/${form.repeat(6)}canary.txt?action=copy&destination=/got.txt`, ''],
      ['PATCH', `/api/resources/target.txt?action=copy&destination=/docs/${form.repeat(6)}pwn.txt`, ''],
    ] as const) {
      const { status, response } = await sendRaw(method, target, body);
      statuses.push(status);
      expect(response).not.toContain(outside);
    }
    expect(statuses).toEqual(writing[readingOf(form)]);
    expect(await names()).toEqual(before);
    expect(await readdir(join(app.root, 'alice2'))).toEqual(['canary.txt']);
  },
);

test('a backslash is a character of names and an encoded separator a separator', async () => {
  expect((await sendRaw('GET', '/api/raw/docs%2Fa.txt')).response).toContain('inside');
  expect((await sendRaw('GET', '/api/raw%2Fdocs/a.txt')).response).toContain('inside');
  expect((await sendRaw('GET', '/api/raw%252Fdocs/a.txt')).status).toBe(404);
  expect((await sendRaw('GET', '/api/raw/docs%5Ca.txt')).status).toBe(404);
  expect((await sendRaw('GET', '/api/raw//docs//./a.txt')).response).toContain('inside');
  expect((await sendRaw('GET', '/api/resourcesX/docs')).status).toBe(404);
});

test.each(['%', '%zz', '%E0%A4%A', '%00', 'a%00b', '%ff', '%ED%A0%80'])(
  'the path %j is refused with 400 for every method',
  async (path) => {
    for (const [method, prefix, query] of [
      ['GET', '/api/resources', ''],
      ['GET', '/api/raw', ''],
      ['GET', '/api/usage', ''],
      ['POST', '/api/resources', ''],
      ['PUT', '/api/resources', ''],
      ['DELETE', '/api/resources', ''],
      ['PATCH', '/api/resources', '?action=copy&destination=/x'],
    ] as const) {
      const { status, response } = await sendRaw(method, `${prefix}/${path}${query}`);
      expect(status, `${method} ${prefix}`).toBe(400);
      expect(response).not.toContain(app.root);
    }
  },
);
