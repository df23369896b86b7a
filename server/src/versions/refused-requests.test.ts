import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
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
  test.each([
    ['GET', '/api/versions/short', undefined, 400],
    ['GET', `/api/versions/${unknown}`, undefined, 404],
    ['GET', '/api/versions/raw/short', undefined, 400],
    ['GET', `/api/versions/raw/${unknown}`, undefined, 404],
    ['GET', `/api/versions/preview/huge/${unknown}`, undefined, 400],
    ['GET', '/api/versions/list/docs/missing.txt', undefined, 404],
    ['GET', '/api/versions/list/docs', undefined, 405],
    ['GET', '/api/versions/list/', undefined, 405],
    ['GET', '/api/versions/list/.filestead-trash/x', undefined, 404],
    ['GET', '/api/versions/list/docs/plan.txt?limit=0', undefined, 400],
    ['GET', '/api/versions/list/docs/plan.txt?limit=1001', undefined, 400],
    ['GET', `/api/versions/list/docs/plan.txt?before=1.${unknown}.AAAAAAAA`, undefined, 400],
    ['POST', '/api/versions/restore', { id: 'short' }, 400],
    ['POST', '/api/versions/restore', { id: unknown }, 404],
    ['POST', '/api/versions/restore', { id: unknown, as: 'other' }, 400],
    ['POST', '/api/versions/restore', { id: unknown, as: 'copy', to: 'relative' }, 400],
    ['POST', '/api/versions/restore', { id: unknown, to: '/elsewhere.txt' }, 400],
    ['PATCH', `/api/versions/${unknown}`, { label: 'x' }, 404],
    ['PATCH', `/api/versions/${unknown}`, { label: 'x'.repeat(201) }, 400],
    ['PATCH', `/api/versions/${unknown}`, { keepForever: 'yes' }, 400],
    ['DELETE', `/api/versions/${unknown}`, undefined, 404],
  ])('%s %s with %j is answered with %i', async (method, path, json, status) => {
    expect(await alice.status(method, path, json)).toBe(status);
  });

  test('a copy to a reserved name or outside of the scope is refused', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const to = (path: string): object => ({ id, as: 'copy', to: path });
    expect(await alice.status('POST', '/api/versions/restore', to('/.filestead-trash/x'))).toBe(403);
    expect(await alice.status('POST', '/api/versions/restore', to('/../x'))).toBe(400);
    expect(await alice.status('POST', '/api/versions/restore', to('/docs/other.txt/x'))).toBe(409);
    expect(await alice.status('POST', '/api/versions/restore', to('/'))).toBe(403);
  });

  test('a version that was removed from the store by hand is not found', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    rmSync(join(app.root, '.filestead-trash'), { recursive: true });
    expect(await alice.status('GET', `/api/versions/raw/${id}`)).toBe(404);
    expect(await alice.status('POST', '/api/versions/restore', { id })).toBe(404);
    expect([textAt('docs/plan.txt'), (await alice.list(plan)).total]).toEqual(['two', 0]);
  });

  test('a version that was replaced by a link in the store is not followed', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const store = join(app.root, '.filestead-trash');
    const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
    const name = names.find((path) => path.includes(id)) ?? '';
    rmSync(join(store, name));
    symlinkSync(join(app.root, 'docs/other.txt'), join(store, name));
    expect(await alice.status('GET', `/api/versions/raw/${id}`)).toBe(403);
    expect(existsSync(join(app.root, 'docs/other.txt'))).toBe(true);
  });
});
