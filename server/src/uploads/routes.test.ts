import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unfinishedSizes } from '../../test/break-off.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const partType = 'application/offset+octet-stream';
let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    config: { maxUploadSize: '64MiB', uploadsPerUser: '5' },
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'bob', scope: '/bob' },
      { username: 'reader', scope: '/alice', perm: { create: false } },
      { username: 'adder', scope: '/adder', perm: { modify: false, delete: false } },
      { username: 'ruled', scope: '/ruled', rules: [{ path: '/secret' }] },
      { username: 'crowd', scope: '/crowd' },
      { username: 'leaver', scope: '/leaver' },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

interface Sent {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}
const call = (
  method: string,
  path: string,
  { as = token, headers = {}, body }: Sent = {},
): Promise<Response> =>
  app.fetch(path, { method, token: as, headers, ...(body === undefined ? {} : { body }) });
const begin = (path: string, length: number | string, sent: Sent = {}): Promise<Response> =>
  call('POST', path, { ...sent, headers: { 'upload-length': String(length), ...sent.headers } });
const patch = (
  path: string,
  offset: number | string,
  body: string | Uint8Array<ArrayBuffer>,
  sent: Sent = {},
) =>
  call('PATCH', path, {
    ...sent,
    body,
    headers: { 'content-type': partType, 'upload-offset': String(offset), ...sent.headers },
  });
const offsetAt = async (path: string, sent: Sent = {}): Promise<[number, string | null]> => {
  const answer = await call('HEAD', path, sent);
  return [answer.status, answer.headers.get('upload-offset')];
};
const place = (name: string): string => join(app.root, name);
const plant = (name: string, content: string): void => {
  mkdirSync(dirname(place(name)), { recursive: true });
  writeFileSync(place(name), content);
};
const onDisk = (name: string): string | null =>
  existsSync(place(name)) ? readFileSync(place(name), 'utf8') : null;
const unfinishedIn = (folder: string): string[] =>
  readdirSync(place(folder)).filter((name) => name.startsWith('.filestead-'));
const tus = { 'tus-resumable': '1.0.0' };
/** Gives up all unfinished uploads of a user, the blocked ones among them. */
async function discardAll(as = token): Promise<void> {
  const listed = (await (await call('GET', '/api/uploads', { as })).json()) as { id: string }[];
  for (const { id } of listed) {
    expect((await call('DELETE', `/api/uploads/${id}`, { as })).status).toBe(204);
  }
}

/** As many bytes as the server gathers before it writes them. */
const beginning = 'a'.repeat(1024 * 1024);
/** Sends the head of the first part and {@link beginning}, and nothing more; resolves when the server has stored that. */
async function stall(path: string, length: number): Promise<ClientRequest> {
  const sending = httpRequest(`${app.url}${path}`, {
    method: 'PATCH',
    headers: {
      'x-auth': token,
      'content-type': partType,
      'content-length': length,
      'upload-offset': 0,
    },
  });
  sending.on('error', () => undefined);
  sending.on('response', (answer) => answer.resume());
  sending.write(beginning);
  await expect.poll(() => unfinishedSizes(place('alice'))).toContain(beginning.length);
  return sending;
}

describe('the protocol of existing clients', () => {
  test('stores the parts of a file at its path, and shows the file once it is complete', async () => {
    const path = '/api/tus/new/f%C3%BCr%20alle%23.txt';
    const begun = await begin(path, 10);
    expect([begun.status, begun.headers.get('location'), await begun.text()]).toEqual([201, path, '']);
    expect(begun.headers.get('tus-resumable')).toBeNull();
    expect(readdirSync(place('alice'))).toContain('new');
    expect(onDisk('alice/new/für alle#.txt')).toBeNull();
    expect((await app.fetch('/api/resources/new/', { token }).then((r) => r.json())) as object).toMatchObject(
      { numFiles: 0 },
    );
    const first = await patch(path, 0, 'hello');
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '5']);
    const head = await call('HEAD', path);
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      '5',
      '10',
    ]);
    expect(head.headers.get('cache-control')).toBe('no-store');
    const get = await call('GET', path);
    expect([get.status, get.headers.get('upload-offset'), await get.text()]).toEqual([200, '5', '']);
    expect(onDisk('alice/new/für alle#.txt')).toBeNull();
    const last = await patch(path, 5, 'world');
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '10']);
    expect(onDisk('alice/new/für alle#.txt')).toBe('helloworld');
    expect(await offsetAt(path)).toEqual([404, null]);
    expect((await patch(path, 10, '')).status).toBe(404);
    expect(unfinishedIn('alice/new')).toEqual([]);
  });

  test('creates an empty file with the first call', async () => {
    expect((await begin('/api/tus/empty.txt', 0)).status).toBe(201);
    expect(onDisk('alice/empty.txt')).toBe('');
    expect((await begin('/api/tus/empty.txt', 0)).status).toBe(409);
    expect((await begin('/api/tus/empty.txt?override=true', 0)).status).toBe(201);
  });

  test('replaces an existing file on request only, keeps its bits, and keeps it until the new file is complete', async () => {
    plant('alice/old.txt', 'old content');
    chmodSync(place('alice/old.txt'), 0o640);
    expect((await begin('/api/tus/old.txt', 3)).status).toBe(409);
    expect((await begin('/api/tus/old.txt?override=false', 3)).status).toBe(409);
    expect((await begin('/api/tus/old.txt?override=true', 6)).status).toBe(201);
    expect((await patch('/api/tus/old.txt', 0, 'new')).status).toBe(204);
    expect(onDisk('alice/old.txt')).toBe('old content');
    expect((await patch('/api/tus/old.txt', 3, 'est')).status).toBe(204);
    expect(onDisk('alice/old.txt')).toBe('newest');
    expect(statSync(place('alice/old.txt')).mode & 0o777).toBe(0o640);
  });

  test('has one upload per path, which is restarted on request', async () => {
    await begin('/api/tus/twice.txt', 4);
    await patch('/api/tus/twice.txt', 0, 'ab');
    expect((await begin('/api/tus/twice.txt', 4)).status).toBe(409);
    expect(await offsetAt('/api/tus/twice.txt')).toEqual([200, '2']);
    expect((await begin('/api/tus/twice.txt?override=true', 6)).status).toBe(201);
    expect(await offsetAt('/api/tus/twice.txt')).toEqual([200, '0']);
    await patch('/api/tus/twice.txt', 0, 'abcdef');
    expect(onDisk('alice/twice.txt')).toBe('abcdef');
    expect(unfinishedIn('alice')).toEqual([]);
  });

  test('removes with DELETE only the received bytes', async () => {
    plant('alice/kept.txt', 'old');
    await begin('/api/tus/kept.txt?override=true', 4);
    await patch('/api/tus/kept.txt', 0, 'ab');
    expect(unfinishedIn('alice')).toHaveLength(1);
    expect((await call('DELETE', '/api/tus/kept.txt')).status).toBe(204);
    expect([onDisk('alice/kept.txt'), unfinishedIn('alice')]).toEqual(['old', []]);
    expect((await call('DELETE', '/api/tus/kept.txt')).status).toBe(404);
    expect((await call('DELETE', '/api/tus/')).status).toBe(403);
  });

  test.each([
    ['POST', '/api/tus/folder/', { 'upload-length': '1' }, 400],
    ['POST', '/api/tus/', { 'upload-length': '1' }, 400],
    ['POST', '/api/tus/x', {}, 400],
    ['POST', '/api/tus/x', { 'upload-length': '-1' }, 400],
    ['POST', '/api/tus/x', { 'upload-length': '1.5' }, 400],
    ['POST', '/api/tus/x', { 'upload-length': 'ten' }, 400],
    ['POST', '/api/tus/x', { 'upload-length': '99999999999999999999' }, 400],
    ['POST', '/api/tus/x', { 'upload-length': '1000000000000000' }, 413],
    ['POST', '/api/tus/x%0Ay', { 'upload-length': '1' }, 400],
    ['POST', '/api/tus/../x', { 'upload-length': '1' }, 404],
    ['POST', '/api/tus/..%2Fx', { 'upload-length': '1' }, 400],
    ['PATCH', '/api/tus/folder/', { 'content-type': partType, 'upload-offset': '0' }, 400],
    ['PATCH', '/api/tus/x', { 'content-type': 'text/plain', 'upload-offset': '0' }, 415],
    ['PATCH', '/api/tus/x', { 'upload-offset': '0' }, 415],
    ['PATCH', '/api/tus/x', { 'content-type': partType }, 400],
    ['PATCH', '/api/tus/x', { 'content-type': partType, 'upload-offset': '-1' }, 400],
    ['PATCH', '/api/tus/x', { 'content-type': partType, 'upload-offset': '0x1' }, 400],
    ['PATCH', '/api/tus/nothing', { 'content-type': partType, 'upload-offset': '0' }, 404],
    ['HEAD', '/api/tus/nothing', {}, 404],
    ['DELETE', '/api/tus/nothing', {}, 404],
    ['PUT', '/api/tus/x', {}, 405],
  ])('answers %s %s with %j by %i', async (method, path, headers, status) => {
    const body = method === 'PATCH' ? new Uint8Array([1]) : undefined;
    const answer = await call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(status);
    expect(onDisk('alice/x')).toBeNull();
  });

  test('does not change the existing file after an invalid length', async () => {
    plant('alice/precious.txt', 'precious');
    for (const [length, status] of [
      ['', 400],
      ['-5', 400],
      ['x', 400],
      ['1000000000000000', 413],
    ] as const) {
      expect((await begin('/api/tus/precious.txt?override=true', length)).status, length).toBe(status);
    }
    expect(onDisk('alice/precious.txt')).toBe('precious');
  });

  test('answers 400 if a folder has the name', async () => {
    mkdirSync(place('alice/a-folder'));
    expect((await begin('/api/tus/a-folder', 3)).status).toBe(400);
    expect((await begin('/api/tus/a-folder?override=true', 3)).status).toBe(400);
  });

  test('requires matching offsets', async () => {
    await begin('/api/tus/offsets.txt', 6);
    await patch('/api/tus/offsets.txt', 0, 'abc');
    expect((await patch('/api/tus/offsets.txt', 0, 'abc')).status).toBe(409);
    expect((await patch('/api/tus/offsets.txt', 4, 'ef')).status).toBe(409);
    expect((await patch('/api/tus/offsets.txt', 7, 'x')).status).toBe(400);
    expect(await offsetAt('/api/tus/offsets.txt')).toEqual([200, '3']);
    await call('DELETE', '/api/tus/offsets.txt');
  });

  test('keeps nothing of a part that is longer than announced', async () => {
    await begin('/api/tus/long.bin', 10);
    await patch('/api/tus/long.bin', 0, 'abc');
    expect((await patch('/api/tus/long.bin', 3, 'x'.repeat(8))).status).toBe(413);
    // One chunk of a body that never ends: the answer has to come before.
    const head = [
      'PATCH /api/tus/long.bin HTTP/1.1',
      'Host: x',
      `X-Auth: ${token}`,
      `Content-Type: ${partType}`,
      'Upload-Offset: 3',
      'Transfer-Encoding: chunked',
    ];
    const answer = await app.rawRequest([...head, '', '3e8', 'x'.repeat(1_000), ''].join('\r\n'));
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 413');
    expect(await offsetAt('/api/tus/long.bin')).toEqual([200, '3']);
    const [part] = unfinishedIn('alice');
    expect(statSync(place(`alice/${part}`)).size).toBe(3);
    expect((await patch('/api/tus/long.bin', 3, 'defghij')).status).toBe(204);
    expect(onDisk('alice/long.bin')).toBe('abcdefghij');
  });

  test('does not replace a file that appears meanwhile', async () => {
    await begin('/api/tus/race.txt', 4);
    plant('alice/race.txt', 'theirs');
    expect((await patch('/api/tus/race.txt', 0, 'mine')).status).toBe(409);
    expect(onDisk('alice/race.txt')).toBe('theirs');
    expect(await offsetAt('/api/tus/race.txt')).toEqual([404, null]);
    await discardAll();
    expect(unfinishedIn('alice')).toEqual([]);
  });
});

describe('access to uploads', () => {
  test('needs a session', async () => {
    for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE'])
      expect((await app.fetch('/api/tus/x', { method })).status).toBe(401);
  });

  test('needs the permission create, except for cancelling', async () => {
    const reader = await app.signIn('reader');
    expect((await begin('/api/tus/r.txt', 3, { as: reader })).status).toBe(403);
    expect((await call('HEAD', '/api/tus/r.txt', { as: reader })).status).toBe(403);
    expect((await patch('/api/tus/r.txt', 0, 'abc', { as: reader })).status).toBe(403);
    expect((await begin('/api/tus/r.txt', 3)).status).toBe(201);
    expect((await patch('/api/tus/r.txt', 0, 'abc')).status).toBe(204);
  });

  test('needs modify for replacing, delete for cancelling by path, and no permission for cancelling by id', async () => {
    const adder = await app.signIn('adder');
    plant('adder/there.txt', 'there');
    expect((await begin('/api/tus/there.txt?override=true', 3, { as: adder })).status).toBe(403);
    expect((await begin('/api/tus/fresh.txt?override=true', 3, { as: adder })).status).toBe(201);
    expect((await call('DELETE', '/api/tus/fresh.txt', { as: adder })).status).toBe(403);
    plant('adder/fresh.txt', 'appeared');
    expect((await patch('/api/tus/fresh.txt', 0, 'abc', { as: adder })).status).toBe(403);
    expect([onDisk('adder/there.txt'), onDisk('adder/fresh.txt')]).toEqual(['there', 'appeared']);
    await discardAll(adder);
    expect(unfinishedIn('adder')).toEqual([]);
    const begun = await begin('/api/tus/mine.txt', 3, { as: adder, headers: tus });
    const location = begun.headers.get('location') ?? '';
    expect((await call('DELETE', location, { as: adder, headers: tus })).status).toBe(204);
    expect(unfinishedIn('adder')).toEqual([]);
  });

  test('is denied by rules', async () => {
    const ruled = await app.signIn('ruled');
    expect((await begin('/api/tus/secret/a.txt', 3, { as: ruled })).status).toBe(403);
    expect((await begin('/api/tus/open/a.txt', 3, { as: ruled })).status).toBe(201);
  });

  test('does not find uploads of other users, by path or by id', async () => {
    const bob = await app.signIn('bob');
    const begun = await begin('/api/tus/own.txt', 3, { headers: tus });
    const location = begun.headers.get('location') ?? '';
    for (const path of [
      location,
      '/api/tus/own.txt',
      '/api/tus/own.txt?upload=__proto__',
      '/api/tus/own.txt?upload=..%2Fx',
    ]) {
      for (const headers of [{}, tus]) {
        expect((await call('HEAD', path, { as: bob, headers })).status, path).toBe(404);
        expect((await patch(path, 0, 'abc', { as: bob, headers })).status, path).toBe(404);
        expect((await call('DELETE', path, { as: bob, headers })).status, path).toBe(404);
      }
    }
    expect((await patch(location, 0, 'abc', { headers: tus })).status).toBe(204);
    expect(onDisk('alice/own.txt')).toBe('abc');
  });

  test('is limited to a number of unfinished uploads', async () => {
    const crowd = await app.signIn('crowd');
    const results = await Promise.all(
      Array.from({ length: 9 }, (_, i) => begin(`/api/tus/${i}.bin`, 1_000_000, { as: crowd, headers: tus })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      201, 201, 201, 201, 201, 429, 429, 429, 429,
    ]);
    expect(unfinishedIn('crowd')).toHaveLength(5);
    const location = results.find(({ status }) => status === 201)?.headers.get('location') ?? '';
    await call('DELETE', location, { as: crowd, headers: tus });
    expect((await begin('/api/tus/again.bin', 5, { as: crowd, headers: tus })).status).toBe(201);
  });

  test('ends when the user is deleted', async () => {
    const leaver = await app.signIn('leaver');
    const begun = await begin('/api/tus/half.bin', 5, { as: leaver, headers: tus });
    const admin = await app.signIn('admin');
    const users = (await (await app.fetch('/api/users', { token: admin })).json()) as {
      id: number;
      username: string;
    }[];
    const id = users.find(({ username }) => username === 'leaver')?.id;
    await app.fetch(`/api/users/${id}`, {
      method: 'DELETE',
      token: admin,
      json: { what: 'user', which: [] },
    });
    expect(
      (await call('HEAD', begun.headers.get('location') ?? '', { as: leaver, headers: tus })).status,
    ).toBe(401);
  });
});

describe('tus 1.0', () => {
  test('OPTIONS announces the extensions to anyone', async () => {
    const answer = await app.fetch('/api/tus/', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('tus-version'), answer.headers.get('tus-extension')]).toEqual([
      204,
      '1.0.0',
      'creation,creation-with-upload,expiration,termination,checksum',
    ]);
    expect(answer.headers.get('tus-max-size')).toBe(String(64 * 1024 * 1024));
  });

  test('an upload has its own id, reports its offset and expiry, and is known for a while after it is finished', async () => {
    const begun = await begin('/api/tus/by%20id.txt', 6, { headers: tus });
    expect(begun.status).toBe(201);
    expect(begun.headers.get('tus-resumable')).toBe('1.0.0');
    const location = begun.headers.get('location') ?? '';
    expect(location).toMatch(/^\/api\/tus\/by%20id\.txt\?upload=[\w-]{32}$/);
    expect(Date.parse(begun.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
    const other = await begin('/api/tus/by%20id.txt', 6, { headers: tus });
    expect(other.headers.get('location')).not.toBe(location);
    const part = await patch(location, 0, 'abc', { headers: tus });
    expect([part.status, part.headers.get('upload-offset'), part.headers.get('tus-resumable')]).toEqual([
      204,
      '3',
      '1.0.0',
    ]);
    expect(await offsetAt(location, { headers: tus })).toEqual([200, '3']);
    expect((await patch(location, 3, 'def', { headers: tus })).status).toBe(204);
    expect(await offsetAt(location, { headers: tus })).toEqual([200, '6']);
    expect(onDisk('alice/by id.txt')).toBe('abcdef');
    const second = other.headers.get('location') ?? '';
    expect((await patch(second, 0, 'uvwxyz', { headers: tus })).status).toBe(409);
    expect(onDisk('alice/by id.txt')).toBe('abcdef');
    expect(await offsetAt(second, { headers: tus })).toEqual([409, null]);
    await discardAll();
    expect(await offsetAt(second, { headers: tus })).toEqual([404, null]);
  });

  test('the first bytes may be sent with the creation', async () => {
    const begun = await begin('/api/tus/with.txt', 6, {
      headers: { ...tus, 'content-type': partType },
      body: 'abc',
    });
    expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, '3']);
    const whole = await begin('/api/tus/whole.txt', 3, {
      headers: { ...tus, 'content-type': partType },
      body: 'abc',
    });
    expect([whole.status, onDisk('alice/whole.txt')]).toEqual([201, 'abc']);
    await call('DELETE', begun.headers.get('location') ?? '', { headers: tus });
  });

  test('another version is rejected, and the method may be in a header', async () => {
    const refused = await begin('/api/tus/v.txt', 3, { headers: { 'tus-resumable': '0.2.2' } });
    expect([refused.status, refused.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    const location = (await begin('/api/tus/v.txt', 3, { headers: tus })).headers.get('location') ?? '';
    const over = (method: string, headers: Record<string, string> = {}, body?: string): Promise<Response> =>
      call('POST', location, {
        headers: { ...tus, 'x-http-method-override': method, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    expect((await over('PATCH', { 'content-type': partType, 'upload-offset': '0' }, 'ab')).status).toBe(204);
    expect((await over('HEAD')).headers.get('upload-offset')).toBe('2');
    expect((await over('DELETE')).status).toBe(204);
    expect((await over('TRACE')).status).toBe(405);
  });
});

describe('broken connections', () => {
  test('received bytes are kept when the connection is cut, and the rest can follow byte by byte', async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) % 251);
    const location =
      (await begin('/api/tus/cut.bin', bytes.length, { headers: tus })).headers.get('location') ?? '';
    await new Promise<void>((resolve) => {
      const sending = httpRequest(`${app.url}${location}`, {
        method: 'PATCH',
        headers: {
          ...tus,
          'x-auth': token,
          'content-type': partType,
          'content-length': bytes.length,
          'upload-offset': 0,
        },
      });
      sending.on('error', () => undefined);
      sending.on('close', () => resolve());
      sending.write(bytes.subarray(0, 1_300_000));
      const [part = ''] = unfinishedIn('alice');
      const storedBytes = (): number => statSync(place(`alice/${part}`)).size;
      void expect
        .poll(storedBytes, { timeout: 20_000 })
        .toBeGreaterThan(0)
        .finally(() => sending.destroy());
    });
    const [status, offset] = await offsetAt(location, { headers: tus });
    expect(status).toBe(200);
    expect(Number(offset)).toBeGreaterThan(0);
    expect(Number(offset)).toBeLessThanOrEqual(1_300_000);
    expect(
      (await patch(location, Number(offset), bytes.slice(Number(offset)), { headers: tus })).status,
    ).toBe(204);
    expect(readFileSync(place('alice/cut.bin')).equals(bytes)).toBe(true);
    expect(app.log.filter((line) => /unexpected error/.test(line))).toEqual([]);
  });

  test('only one request may send at a time, unless it is stalled', async () => {
    const length = beginning.length + 7;
    await begin('/api/tus/busy.txt', length);
    const silent = await stall('/api/tus/busy.txt', length);
    expect((await patch('/api/tus/busy.txt', 0, 'x'.repeat(10))).status).toBe(423);
    app.clock.advance(1_200);
    expect((await patch('/api/tus/busy.txt', beginning.length, 'defghij')).status).toBe(204);
    expect(onDisk('alice/busy.txt')).toBe(`${beginning}defghij`);
    silent.destroy();
  });

  test('a request for the offset ends the request that is still sending', async () => {
    const length = beginning.length + 3;
    await begin('/api/tus/asked.txt', length);
    const silent = await stall('/api/tus/asked.txt', length);
    expect(await offsetAt('/api/tus/asked.txt')).toEqual([200, String(beginning.length)]);
    expect((await patch('/api/tus/asked.txt', beginning.length, 'def')).status).toBe(204);
    expect(onDisk('alice/asked.txt')).toBe(`${beginning}def`);
    silent.destroy();
  });

  test('at most one of many concurrent parts is accepted', async () => {
    await begin('/api/tus/many.txt', 8);
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch('/api/tus/many.txt', 0, 'abcd')));
    // The others come while the first one is taken (423) or after it (409): that is a race.
    const outcomes = answers.map(({ status }) => (status === 423 ? 409 : status));
    expect(outcomes.toSorted()).toEqual([204, 409, 409, 409, 409]);
    expect(await offsetAt('/api/tus/many.txt')).toEqual([200, '4']);
    await call('DELETE', '/api/tus/many.txt');
  });

  test('an upload follows its folder when that is renamed, and ends when it is deleted', async () => {
    const location =
      (await begin('/api/tus/moving/a.txt', 6, { headers: tus })).headers.get('location') ?? '';
    await patch(location, 0, 'abc', { headers: tus });
    await call('PATCH', '/api/resources/moving?action=rename&destination=%2Fmoved');
    expect((await patch(location, 3, 'def', { headers: tus })).status).toBe(204);
    expect([onDisk('alice/moved/a.txt'), onDisk('alice/moving/a.txt')]).toEqual(['abcdef', null]);
    const ended = (await begin('/api/tus/moved/b.txt', 6, { headers: tus })).headers.get('location') ?? '';
    await call('DELETE', '/api/resources/moved');
    expect((await patch(ended, 0, 'abc', { headers: tus })).status).toBe(404);
    expect(await offsetAt(ended, { headers: tus })).toEqual([404, null]);
  });
});
