import { mkdirSync, readdirSync, statSync, chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  partType,
  app,
  token,
  call,
  begin,
  patch,
  offsetAt,
  place,
  plant,
  onDisk,
  unfinishedIn,
  tus,
  discardAll,
  useUploadsServer,
} from '../../test/fixtures/uploads-server.ts';

useUploadsServer();

describe('the protocol of existing clients', () => {
  test('stores the parts of a file at its path, and shows the file once it is complete', async () => {
    const path = '/api/tus/new/f%C3%BCr%20alle%23.txt';
    const created = await begin(path, 10);
    expect([created.status, created.headers.get('location'), await created.text()]).toEqual([201, path, '']);
    expect(created.headers.get('tus-resumable')).toBeNull();
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
  ])('%s %s with %j returns %i', async (method, path, headers, status) => {
    const body = method === 'PATCH' ? new Uint8Array([1]) : undefined;
    const response = await call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
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

  test('returns 400 if a folder has the name', async () => {
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
    // One chunk of a body that never ends: the server has to respond before its end.
    const head = [
      'PATCH /api/tus/long.bin HTTP/1.1',
      'Host: x',
      `X-Auth: ${token}`,
      `Content-Type: ${partType}`,
      'Upload-Offset: 3',
      'Transfer-Encoding: chunked',
    ];
    const response = await app.rawRequest([...head, '', '3e8', 'x'.repeat(1_000), ''].join('\r\n'));
    expect(response.slice(0, 12)).toBe('HTTP/1.1 413');
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

describe('tus 1.0', () => {
  test('OPTIONS announces the extensions to anyone', async () => {
    const response = await app.fetch('/api/tus/', { method: 'OPTIONS' });
    expect([
      response.status,
      response.headers.get('tus-version'),
      response.headers.get('tus-extension'),
    ]).toEqual([204, '1.0.0', 'creation,creation-with-upload,expiration,termination,checksum']);
    expect(response.headers.get('tus-max-size')).toBe(String(64 * 1024 * 1024));
  });

  test('an upload has its own id, reports its offset and expiry, and is known for a while after it is finished', async () => {
    const created = await begin('/api/tus/by%20id.txt', 6, { headers: tus });
    expect(created.status).toBe(201);
    expect(created.headers.get('tus-resumable')).toBe('1.0.0');
    const location = created.headers.get('location') ?? '';
    expect(location).toMatch(/^\/api\/tus\/by%20id\.txt\?upload=[\w-]{32}$/);
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
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
    const created = await begin('/api/tus/with.txt', 6, {
      headers: { ...tus, 'content-type': partType },
      body: 'abc',
    });
    expect([created.status, created.headers.get('upload-offset')]).toEqual([201, '3']);
    const whole = await begin('/api/tus/whole.txt', 3, {
      headers: { ...tus, 'content-type': partType },
      body: 'abc',
    });
    expect([whole.status, onDisk('alice/whole.txt')]).toEqual([201, 'abc']);
    await call('DELETE', created.headers.get('location') ?? '', { headers: tus });
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
