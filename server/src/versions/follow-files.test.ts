import { rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  alice,
  app,
  client,
  plan,
  stored,
  textAt,
  useVersionsApp,
} from '../../test/fixtures/versions-app.ts';

useVersionsApp();

const rename = async (from: string, to: string, query = ''): Promise<void> => {
  const destination = encodeURIComponent(to);
  const target = `/api/resources${from}?action=rename&destination=${destination}${query}`;
  expect(await alice.status('PATCH', target)).toBe(200);
};
const remove = async (path: string, query = ''): Promise<string | null> => {
  const response = await alice.send('DELETE', `/api/resources${path}${query}`);
  expect(response.status).toBe(200);
  return response.headers.get('x-trash-item');
};

describe('versions follow their file', () => {
  beforeEach(() => alice.save(plan, 'two'));

  test('when it is renamed, and a new file with the old path has none', async () => {
    await rename(plan, '/docs/renamed.txt');
    expect(await alice.texts('/docs/renamed.txt')).toEqual(['one']);
    writeFileSync(join(app.root, 'docs/plan.txt'), 'new');
    expect((await alice.list(plan)).total).toBe(0);
    expect(await alice.version('/docs/renamed.txt')).toMatchObject({
      name: 'plan.txt',
      path: '/docs/renamed.txt',
    });
  });

  test('when a folder above it is renamed or moved', async () => {
    await rename('/docs', '/alice/papers');
    expect(await alice.texts('/alice/papers/plan.txt')).toEqual(['one']);
    const scoped = await client('scoped');
    expect(await scoped.version('/papers/plan.txt')).toMatchObject({ path: '/papers/plan.txt' });
  });

  test('into the trash and back, while a new file with the same path has none', async () => {
    const { id } = await alice.version(plan);
    const item = await remove(plan);
    expect(await alice.status('GET', `/api/versions/${id}`)).toBe(404);
    writeFileSync(join(app.root, 'docs/plan.txt'), 'new');
    expect((await alice.list(plan)).total).toBe(0);
    rmSync(join(app.root, 'docs/plan.txt'));
    expect(await alice.status('POST', '/api/trash/restore', { ids: [item] })).toBe(200);
    expect(await alice.texts(plan)).toEqual(['one']);
  });

  test('into the trash with its folder, and back to another place', async () => {
    const item = await remove('/docs');
    await mkdir(join(app.root, 'docs'));
    writeFileSync(join(app.root, 'docs/plan.txt'), 'new');
    expect((await alice.list(plan)).total).toBe(0);
    expect(await alice.status('POST', '/api/trash/restore', { ids: [item], to: '/alice' })).toBe(200);
    expect(await alice.texts('/alice/docs/plan.txt')).toEqual(['one']);
  });

  test('when it replaces another file, whose versions are joined', async () => {
    await alice.save('/docs/other.txt', 'other two');
    await rename(plan, '/docs/other.txt', '&override=true');
    expect((await alice.texts('/docs/other.txt')).toSorted()).toEqual(['one', 'other', 'other two']);
    const names = (await alice.list('/docs/other.txt')).versions.map(({ name }) => name);
    expect(names.toSorted()).toEqual(['other.txt', 'other.txt', 'plan.txt']);
    expect(textAt('docs/other.txt')).toBe('two');
  });

  test('but a copy of the file has none', async () => {
    const query = 'action=copy&destination=%2Fdocs%2Fcopy.txt';
    expect(await alice.status('PATCH', `/api/resources${plan}?${query}`)).toBe(200);
    expect((await alice.list('/docs/copy.txt')).total).toBe(0);
  });

  test.each([
    ['the file', plan],
    ['its folder', '/docs'],
  ])('and are removed when %s is deleted forever', async (_what, path) => {
    const [id = ''] = stored();
    expect(id).toMatch(/^[\w-]{22}$/);
    await remove(path, '?permanent=true');
    await expect.poll(stored).toEqual([]);
    expect(await alice.status('GET', `/api/versions/${id}`)).toBe(404);
  });

  test.each([
    ['the file', plan],
    ['its folder', '/docs'],
  ])('and are removed when %s is purged, unless that is cancelled', async (_what, path) => {
    const item = (await remove(path)) ?? '';
    const ids = { ids: [item] };
    expect(await alice.status('POST', '/api/trash/purge', ids)).toBe(200);
    expect(await alice.status('POST', '/api/trash/purge/cancel', ids)).toBe(200);
    expect(await alice.status('POST', '/api/trash/restore', ids)).toBe(200);
    expect(await alice.texts(plan)).toEqual(['one']);
    const again = { ids: [(await remove(path)) ?? ''] };
    expect(await alice.status('POST', '/api/trash/purge', again)).toBe(200);
    app.clock.advance(10_001);
    await expect.poll(stored).toEqual([]);
  });
});
