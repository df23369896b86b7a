import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { alice, app, client, plan, textAt, useVersionsApp } from '../../test/fixtures/versions-app.ts';
import { storeClosesMs } from '../../test/security/swap-store.ts';

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
    ['PATCH', '/api/versions/short', { label: 'x' }, 400, 'bad_request', 'path.id'],
    ['DELETE', `/api/versions/${unknown}`, undefined, 404, 'not_found', ''],
    ['DELETE', '/api/versions/short', undefined, 400, 'bad_request', 'path.id'],
    ['GET', '/api/raw/docs/plan.txt?version=short', undefined, 400, 'bad_request', 'query.version'],
    ['GET', `/api/raw/docs/plan.txt?version=${unknown}`, undefined, 404, 'not_found', ''],
  ])('%s %s with %j is answered with %i %s', async (method, path, json, status, code, place) => {
    expect(await refusal(method, path, json)).toEqual([status, code, expect.stringContaining(place)]);
  });

  test('an unknown, an invisible and a purged version are one and the same', async () => {
    await alice.save(plan, 'two');
    await alice.save(plan, 'three');
    const [invisible, purged] = [await alice.version(plan, 0), await alice.version(plan, 1)];
    expect(await alice.status('DELETE', `/api/versions/${purged.id}`)).toBe(200);
    const scoped = await client('scoped');
    const responses = new Set<string>();
    for (const [{ token }, id] of [
      [alice, unknown],
      [scoped, invisible.id],
      [alice, purged.id],
    ] as const) {
      for (const [method, path, json] of [
        ['GET', `/api/versions/${id}`],
        ['GET', `/api/versions/raw/${id}`],
        ['GET', `/api/versions/preview/thumb/${id}`],
        ['POST', '/api/versions/restore', { id }],
        ['POST', '/api/versions/restore', { id, as: 'copy' }],
        ['PATCH', `/api/versions/${id}`, { label: 'x' }],
        ['DELETE', `/api/versions/${id}`],
      ] as const) {
        const headers = { accept: 'application/json' };
        const body = json === undefined ? {} : { json };
        const response = await app.fetch(path, { method, token, headers, ...body });
        const { requestId: _, ...problem } = (await response.json()) as { requestId?: string };
        responses.add(JSON.stringify([response.status, problem]));
      }
    }
    expect([...responses]).toEqual([expect.stringMatching(/^\[404,.*"code":"not_found"/)]);
    expect([textAt('docs/plan.txt'), await alice.texts(plan)]).toEqual(['three', ['two']]);
  });

  test('a cursor of which a single character was altered is refused', async () => {
    await alice.save(plan, 'two');
    await alice.save(plan, 'three');
    const cursor = (await alice.list(plan, '?limit=1')).next ?? '';
    expect((await alice.list(plan, `?limit=1&before=${cursor}`)).versions).toHaveLength(1);
    for (let index = 0; index < cursor.length; index++) {
      const altered = `${cursor.slice(0, index)}${cursor[index] === '1' ? '2' : '1'}${cursor.slice(index + 1)}`;
      expect(await refusal('GET', `/api/versions/list${plan}?before=${altered}`), altered).toEqual([
        400,
        'bad_request',
        expect.stringContaining('before'),
      ]);
    }
  });

  test('a restoration and a deletion at the same time do not both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      await alice.save(plan, `state ${round}`);
      const { id } = await alice.version(plan);
      const before = await alice.text(id);
      const current = textAt('docs/plan.txt');
      const [restored, deleted] = await Promise.all([
        alice.status('POST', '/api/versions/restore', { id }),
        alice.status('DELETE', `/api/versions/${id}`),
      ]);
      expect([restored, deleted, textAt('docs/plan.txt')]).toEqual(
        restored === 200 ? [200, 404, before] : [404, 200, current],
      );
    }
  });

  test('a version whose folder is a file now is not restored to its place, but elsewhere', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    rmSync(join(app.root, 'docs'), { recursive: true });
    writeFileSync(join(app.root, 'docs'), 'a file');
    for (const json of [{ id }, { id, as: 'copy' }])
      expect((await refusal('POST', '/api/versions/restore', json)).slice(0, 2)).toEqual([
        409,
        'not_a_folder',
      ]);
    expect(textAt('docs')).toBe('a file');
    const elsewhere = { id, as: 'copy', to: '/alice/plan.txt' };
    expect(await alice.status('POST', '/api/versions/restore', elsewhere)).toBe(200);
    expect(textAt('alice/plan.txt')).toBe('one');
  });

  test('a version is neither restored nor copied through a link that leads out of the served folder', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const outside = join(app.data, '..', 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(app.root, 'link'));
    const copy = { id, as: 'copy', to: '/link/plan.txt' };
    expect((await refusal('POST', '/api/versions/restore', copy)).slice(0, 2)).toEqual([
      403,
      'external_link',
    ]);
    renameSync(join(app.root, 'docs'), join(app.root, 'away'));
    symlinkSync(outside, join(app.root, 'docs'));
    for (const json of [{ id }, { id, as: 'copy' }])
      expect((await refusal('POST', '/api/versions/restore', json)).slice(0, 2)).toEqual([
        403,
        'external_link',
      ]);
    expect([readdirSync(outside), textAt('away/plan.txt')]).toEqual([[], 'two']);
  });

  test('a copy to a reserved name or outside of the scope is refused and changes nothing', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    for (const [to, status, code] of [
      ['/.filestead-trash/x', 403, 'forbidden'],
      ['/../x', 400, 'invalid_path'],
      ['/docs/other.txt/x', 409, 'not_a_folder'],
      ['/', 403, 'root_is_protected'],
      ['/docs/.Filestead-Trash', 403, 'forbidden'],
      ['/docs/other.txt', 409, 'already_exists'],
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

  test.each([
    ['raw', 'GET', undefined],
    ['preview/thumb', 'GET', undefined],
    ['restore', 'POST', {}],
    ['restore', 'POST', { as: 'copy' }],
  ] as const)(
    'a version that was removed from the store by hand is not found, and leaves the list: %s %s %j',
    async (path, method, json) => {
      await alice.save(plan, 'two');
      const { id } = await alice.version(plan);
      rmSync(storedPath(id));
      const request =
        json === undefined
          ? refusal(method, `/api/versions/${path}/${id}`)
          : refusal(method, `/api/versions/${path}`, { id, ...json });
      expect(await request).toEqual([404, 'not_found', expect.any(String)]);
      expect([textAt('docs/plan.txt'), (await alice.list(plan)).total]).toEqual(['two', 0]);
      expect(readdirSync(join(app.root, 'docs')).toSorted()).toEqual(['other.txt', 'plan.txt']);
      const logged = app.log.filter((line) => line.includes('missing in its store') && line.includes(id));
      expect(logged).toHaveLength(1);
    },
  );

  test('a version that was replaced by a link, a folder, a pipe or a device in the store is not opened', async () => {
    for (const [kind, replace] of [
      ['link', (path: string) => symlinkSync(join(app.root, 'docs/other.txt'), path)],
      ['folder', (path: string) => mkdirSync(path)],
      ['pipe', (path: string) => execFileSync('mkfifo', [path])],
      // A device can be created by the superuser only.
      ...(process.geteuid?.() === 0
        ? [['device', (path: string) => execFileSync('mknod', [path, 'c', '1', '5'])] as const]
        : []),
    ] as const) {
      await alice.save(plan, kind);
      const { id } = await alice.version(plan);
      const stored = storedPath(id);
      rmSync(stored);
      replace(stored);
      for (const [method, path, json] of [
        ['GET', `/api/versions/raw/${id}`],
        ['GET', `/api/raw${plan}?version=${id}`],
        ['POST', '/api/versions/restore', { id }],
        ['POST', '/api/versions/restore', { id, as: 'copy' }],
      ] as const) {
        const answer = await refusal(method, path, json);
        expect(answer, `${kind} ${path} ${JSON.stringify(json)}`).toEqual([
          403,
          'special_file',
          expect.any(String),
        ]);
      }
      expect([textAt('docs/plan.txt'), textAt('docs/other.txt')]).toEqual([kind, 'other']);
      expect(existsSync(join(app.root, 'docs/plan(1).txt'))).toBe(false);
    }
  });

  test('a version is not opened through a link in the place of its folder in the store', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const [hour, away] = [dirname(storedPath(id)), join(app.data, '..', 'away')];
    renameSync(hour, away);
    symlinkSync(away, hour);
    // The store stays open for a while after a use, with its folders.
    await new Promise((resolve) => setTimeout(resolve, storeClosesMs));
    for (const [method, path, json] of [
      ['GET', `/api/versions/raw/${id}`],
      ['POST', '/api/versions/restore', { id }],
      ['POST', '/api/versions/restore', { id, as: 'copy' }],
    ] as const)
      expect((await refusal(method, path, json)).slice(0, 2), path).toEqual([403, 'special_file']);
    expect([textAt('docs/plan.txt'), (await alice.list(plan)).total]).toEqual(['two', 1]);
    rmSync(hour);
    renameSync(away, hour);
    expect(await alice.status('POST', '/api/versions/restore', { id })).toBe(200);
  });
});
