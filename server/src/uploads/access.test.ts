import { describe, expect, test } from 'vitest';
import {
  app,
  call,
  begin,
  patch,
  plant,
  onDisk,
  unfinishedIn,
  tus,
  discardAll,
  useUploadsServer,
} from '../../test/fixtures/uploads-server.ts';

useUploadsServer();

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
    const created = await begin('/api/tus/mine.txt', 3, { as: adder, headers: tus });
    const location = created.headers.get('location') ?? '';
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
    const created = await begin('/api/tus/own.txt', 3, { headers: tus });
    const location = created.headers.get('location') ?? '';
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
    const created = await begin('/api/tus/half.bin', 5, { as: leaver, headers: tus });
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
      (await call('HEAD', created.headers.get('location') ?? '', { as: leaver, headers: tus })).status,
    ).toBe(401);
  });
});
