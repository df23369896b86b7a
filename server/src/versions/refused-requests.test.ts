import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { alice, app, client, plan, textAt, useVersionsApp } from '../../test/fixtures/versions-app.ts';

useVersionsApp();

describe('permissions', () => {
  let id: string;
  beforeEach(async () => {
    await alice.save(plan, 'two');
    ({ id } = await alice.version(plan));
  });

  test('a user outside of the scope, or denied by a rule, finds nothing', async () => {
    for (const [name, status] of [
      ['scoped', 404],
      ['ruled', 403],
    ] as const) {
      const user = await client(name);
      expect(await user.status('GET', `/api/versions/list${plan}`)).toBe(status);
      expect(await user.status('GET', `/api/versions/${id}`)).toBe(404);
      expect(await user.status('GET', `/api/versions/raw/${id}`)).toBe(404);
      expect(await user.status('GET', `/api/versions/preview/thumb/${id}`)).toBe(404);
      expect(await user.status('POST', '/api/versions/restore', { id })).toBe(404);
      expect(await user.status('PATCH', `/api/versions/${id}`, { label: 'mine' })).toBe(404);
      expect(await user.status('DELETE', `/api/versions/${id}`)).toBe(404);
    }
  });

  test('the content requires the permission to download', async () => {
    const blind = await client('blind');
    expect((await blind.list(plan)).total).toBe(1);
    expect(await blind.status('GET', `/api/versions/raw/${id}`)).toBe(403);
    expect(await blind.status('GET', `/api/versions/preview/thumb/${id}`)).toBe(403);
    expect(await blind.status('POST', '/api/versions/restore', { id, as: 'copy' })).toBe(403);
  });

  test('replacing requires the permission to modify, a copy the one to create', async () => {
    const [creator, modifier] = [await client('creator'), await client('modifier')];
    expect((await creator.version(plan)).canRestore).toBe(false);
    expect(await creator.status('POST', '/api/versions/restore', { id })).toBe(403);
    expect(await creator.status('PATCH', `/api/versions/${id}`, { label: 'x' })).toBe(403);
    expect(await modifier.status('POST', '/api/versions/restore', { id, as: 'copy' })).toBe(403);
    expect(await creator.status('POST', '/api/versions/restore', { id, as: 'copy' })).toBe(200);
    expect(await modifier.status('POST', '/api/versions/restore', { id })).toBe(200);
    expect(textAt('docs/plan.txt')).toBe('one');
  });

  test('a new account does not see what was replaced before', async () => {
    app.clock.advance(1_000);
    await app.createUser({ username: 'newcomer' });
    const newcomer = await client('newcomer');
    expect((await newcomer.list(plan)).total).toBe(0);
    expect(await newcomer.status('GET', `/api/versions/${id}`)).toBe(404);
    app.clock.advance(1_000);
    await alice.save(plan, 'three');
    expect(await newcomer.texts(plan)).toEqual(['two']);
  });

  test('a visitor of a share gets no version', async () => {
    const created = await alice.send('POST', `/api/share${plan}`, {});
    expect(created.status).toBe(200);
    const { hash } = (await created.json()) as { hash: string };
    const visit = async (path: string): Promise<number> => (await app.fetch(path)).status;
    expect(await visit(`/api/public/dl/${hash}`)).toBe(200);
    expect(await visit(`/api/versions/list${plan}`)).toBe(401);
    expect(await visit(`/api/versions/raw/${id}`)).toBe(401);
    expect(await visit(`/api/public/dl/${hash}?version=${id}`)).toBe(404);
    expect(await visit(`/api/public/preview/thumb/${hash}/?version=${id}`)).toBe(404);
  });

  test('the trash neither lists, sends nor restores a version', async () => {
    expect(await alice.status('GET', `/api/trash/${id}`)).toBe(404);
    expect(await alice.status('GET', `/api/trash/raw/${id}/`)).toBe(404);
    expect(await alice.status('POST', '/api/trash/purge', { ids: [id] })).toBe(404);
    const response = await alice.send('POST', '/api/trash/restore', { ids: [id] });
    expect(await response.json()).toEqual({ results: [{ id, error: 'not_found' }] });
    expect(await alice.texts(plan)).toEqual(['one']);
  });
});

describe('bad input', () => {
  const unknown = 'A'.repeat(22);
  /** The status, the code and the explanation of a refusal. */
  async function refusal(method: string, path: string, json?: unknown): Promise<[number, string, string]> {
    const response = await app.fetch(path, {
      method,
      token: alice.token,
      headers: { accept: 'application/json' },
      ...(json === undefined ? {} : { json }),
    });
    const { code, detail = '' } = (await response.json()) as { code: string; detail?: string };
    return [response.status, code, detail];
  }

  test.each([
    ['GET', '/api/versions/short', undefined, 400, 'bad_request', 'path.id'],
    ['GET', `/api/versions/${unknown}`, undefined, 404, 'not_found', ''],
    ['GET', '/api/versions/raw/short', undefined, 400, 'bad_request', 'path.id'],
    ['GET', `/api/versions/raw/${unknown}`, undefined, 404, 'not_found', ''],
    ['GET', `/api/versions/preview/huge/${unknown}`, undefined, 400, 'bad_request', 'size'],
    ['GET', '/api/versions/list/docs/missing.txt', undefined, 404, 'not_found', ''],
    ['GET', '/api/versions/list/docs', undefined, 405, 'is_folder', ''],
    ['GET', '/api/versions/list/', undefined, 405, 'is_folder', ''],
    ['GET', '/api/versions/list/.filestead-trash/x', undefined, 404, 'not_found', ''],
    ['GET', '/api/versions/list/docs/plan.txt?limit=0', undefined, 400, 'bad_request', 'query.limit'],
    ['GET', '/api/versions/list/docs/plan.txt?limit=1001', undefined, 400, 'bad_request', 'query.limit'],
    ['GET', '/api/versions/list/docs/plan.txt?before=changed', undefined, 400, 'bad_request', 'before'],
    [
      'GET',
      `/api/versions/list/docs/plan.txt?before=1.${unknown}.AAAA`,
      undefined,
      400,
      'bad_request',
      'before',
    ],
    ['POST', '/api/versions/restore', { id: 'short' }, 400, 'bad_request', 'body.id'],
    ['POST', '/api/versions/restore', { id: unknown }, 404, 'not_found', ''],
    ['POST', '/api/versions/restore', { id: unknown, as: 'other' }, 400, 'bad_request', 'body.as'],
    [
      'POST',
      '/api/versions/restore',
      { id: unknown, as: 'copy', to: 'relative' },
      400,
      'bad_request',
      'body.to',
    ],
    ['POST', '/api/versions/restore', { id: unknown, to: '/elsewhere.txt' }, 400, 'bad_request', 'to'],
    ['PATCH', `/api/versions/${unknown}`, { label: 'x' }, 404, 'not_found', ''],
    ['PATCH', `/api/versions/${unknown}`, { label: 'x'.repeat(201) }, 400, 'bad_request', 'body.label'],
    ['PATCH', `/api/versions/${unknown}`, { keepForever: 'yes' }, 400, 'bad_request', 'body.keepForever'],
    ['DELETE', `/api/versions/${unknown}`, undefined, 404, 'not_found', ''],
  ])('%s %s with %j is answered with %i %s', async (method, path, json, status, code, place) => {
    expect(await refusal(method, path, json)).toEqual([status, code, expect.stringContaining(place)]);
  });

  test('a copy to a reserved name or outside of the scope is refused and changes nothing', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    for (const [to, status, code] of [
      ['/.filestead-trash/x', 403, 'forbidden'],
      ['/../x', 400, 'invalid_path'],
      ['/docs/other.txt/x', 409, 'not_a_folder'],
      ['/', 403, 'root_is_protected'],
    ] as const) {
      const request = { id, as: 'copy', to };
      expect((await refusal('POST', '/api/versions/restore', request)).slice(0, 2), to).toEqual([
        status,
        code,
      ]);
    }
    expect([textAt('docs/plan.txt'), textAt('docs/other.txt')]).toEqual(['two', 'other']);
    expect((await alice.list(plan)).total).toBe(1);
    expect(readdirSync(app.root).toSorted()).toEqual(['.filestead-trash', 'alice', 'docs']);
  });

  /** The path of a version in the store. */
  function storedPath(id: string): string {
    const store = join(app.root, '.filestead-trash');
    const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
    return join(store, names.find((path) => path.includes(id)) ?? '');
  }

  test('a version whose store is missing stays in the list, and is restored when that is back', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const [store, away] = [join(app.root, '.filestead-trash'), join(app.root, '../away')];
    renameSync(store, away);
    expect(await refusal('POST', '/api/versions/restore', { id })).toEqual([
      404,
      'not_found',
      expect.any(String),
    ]);
    expect([textAt('docs/plan.txt'), (await alice.list(plan)).total]).toEqual(['two', 1]);
    renameSync(away, store);
    expect(await alice.status('POST', '/api/versions/restore', { id })).toBe(200);
    expect(textAt('docs/plan.txt')).toBe('one');
  });

  test('a version that was removed from the store by hand is not found', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    rmSync(storedPath(id));
    expect(await refusal('GET', `/api/versions/raw/${id}`)).toEqual([404, 'not_found', expect.any(String)]);
    expect(await refusal('POST', '/api/versions/restore', { id })).toEqual([
      404,
      'not_found',
      expect.any(String),
    ]);
    expect([textAt('docs/plan.txt'), (await alice.list(plan)).total]).toEqual(['two', 0]);
  });

  test('a version that was replaced by a link in the store is not followed', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const stored = storedPath(id);
    rmSync(stored);
    symlinkSync(join(app.root, 'docs/other.txt'), stored);
    expect(await refusal('GET', `/api/versions/raw/${id}`)).toEqual([
      403,
      'special_file',
      expect.any(String),
    ]);
    expect(await refusal('POST', '/api/versions/restore', { id })).toEqual([
      403,
      'special_file',
      expect.any(String),
    ]);
    expect([textAt('docs/plan.txt'), textAt('docs/other.txt')]).toEqual(['two', 'other']);
  });
});
