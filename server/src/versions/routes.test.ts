import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationPage } from '@filestead/contract/endpoints/operations';
import type { RestoredVersion, Version } from '@filestead/contract/endpoints/versions';
import { describe, expect, test, vi } from 'vitest';
import {
  admin,
  alice,
  app,
  client,
  plan,
  stored,
  textAt,
  useVersionsApp,
} from '../../test/fixtures/versions-app.ts';
import type { VersionClient } from './versions-testing.ts';

useVersionsApp();

const restore = async (as: VersionClient, request: object): Promise<RestoredVersion> => {
  const response = await as.send('POST', '/api/versions/restore', request);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-operation')).toMatch(/^[\w-]{22}$/);
  return (await response.json()) as RestoredVersion;
};

describe('the list', () => {
  test('shows each state with its author and cause, the latest first', async () => {
    const bob = await client('bob');
    await alice.save(plan, 'second');
    const upload = { method: 'POST', token: bob.token, body: 'third one' };
    expect((await app.fetch(`/api/resources${plan}?override=true`, upload)).status).toBe(200);
    const page = await alice.list(plan);
    expect(page).toMatchObject({ next: null, total: 2, written: { act: 'upload', by: 'bob' } });
    expect(page.versions).toMatchObject([
      {
        name: 'plan.txt',
        path: plan,
        size: 6,
        type: 'text',
        written: { act: 'save', by: 'alice' },
        replaced: { act: 'upload', by: 'bob' },
        label: null,
        keepForever: false,
        canRestore: true,
        canDelete: false,
      },
      { size: 3, written: null, replaced: { act: 'save', by: 'alice' }, canDelete: true },
    ]);
    expect(page.versions[0]?.written).toEqual(page.versions[1]?.replaced);
    expect(Math.abs(Date.parse(page.written?.at ?? '') - app.clock.now())).toBeLessThan(60_000);
    expect(await alice.texts(plan)).toEqual(['second', 'one']);
  });

  test('names the author of a new file, also when its first state was replaced', async () => {
    const change = async (path: string, method: string, body?: string): Promise<void> => {
      const options = { method, token: alice.token, ...(body !== undefined && { body }) };
      expect((await app.fetch(path, options)).status).toBe(200);
    };
    await change('/api/resources/docs/new.txt', 'POST', 'first');
    await change('/api/resources/docs/new.txt?action=copy&destination=%2Fdocs%2Fcopy.txt', 'PATCH');
    await vi.waitFor(async () => {
      const page = await alice.list('/docs/copy.txt');
      expect(page).toMatchObject({ total: 0, written: { act: 'create', by: 'alice' } });
    });
    const bob = await client('bob');
    await bob.save('/docs/new.txt', 'second');
    const page = await alice.list('/docs/new.txt');
    expect(page.written).toMatchObject({ act: 'save', by: 'bob' });
    expect(page.versions).toMatchObject([{ written: { act: 'upload', by: 'alice' } }]);
  });

  test('is empty for a file that was never replaced', async () => {
    expect(await alice.list('/docs/other.txt')).toEqual({
      written: null,
      isChangedOutside: false,
      versions: [],
      next: null,
      total: 0,
    });
  });

  test('comes in pages', async () => {
    for (const text of ['1', '2', '3', '4']) await alice.save(plan, text);
    const first = await alice.list(plan, '?limit=3');
    expect([first.versions.length, first.total]).toEqual([3, 4]);
    const second = await alice.list(plan, `?limit=3&before=${first.next}`);
    expect([second.versions.length, second.next]).toEqual([1, null]);
    expect(await alice.text(second.versions[0]?.id ?? '')).toBe('one');
  });

  test('reports changes by other programs, whose former states are not kept', async () => {
    await alice.save(plan, 'two');
    const logged = async (): Promise<number> =>
      ((await (await alice.send('GET', '/api/operations')).json()) as OperationPage).items.length;
    await vi.waitFor(async () => expect(await logged()).toBe(1));
    expect(await alice.list(plan)).toMatchObject({ isChangedOutside: false });
    writeFileSync(join(app.root, 'docs/plan.txt'), 'by another program');
    expect(await alice.list(plan)).toMatchObject({
      isChangedOutside: true,
      versions: [{ isChangedOutside: false }],
    });
    await alice.save(plan, 'three');
    await vi.waitFor(async () => expect(await logged()).toBe(2));
    expect(await alice.list(plan)).toMatchObject({
      isChangedOutside: false,
      versions: [{ isChangedOutside: true }, { isChangedOutside: false }],
    });
  });

  test('of a symbolic link is that of its target', async () => {
    symlinkSync('plan.txt', join(app.root, 'docs/link.txt'));
    await alice.save('/docs/link.txt', 'through the link');
    expect(await alice.texts('/docs/link.txt')).toEqual(['one']);
    expect(await alice.texts(plan)).toEqual(['one']);
  });
});

describe('a restored version', () => {
  test('replaces the current state, which becomes a version, and leaves the list', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const { path, replaced } = await restore(alice, { id });
    expect([path, textAt('docs/plan.txt')]).toEqual([plan, 'one']);
    expect(await alice.texts(plan)).toEqual(['two']);
    const page = await alice.list(plan);
    expect(page.versions[0]).toMatchObject({ id: replaced, replaced: { act: 'restore', by: 'alice' } });
    expect(page.written).toMatchObject({ act: 'restore', by: 'alice' });
    await restore(alice, { id: replaced });
    expect([textAt('docs/plan.txt'), await alice.texts(plan)]).toEqual(['two', ['one']]);
  });

  test('stays in the list when it has a label', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    expect(await alice.status('PATCH', `/api/versions/${id}`, { label: 'signed' })).toBe(200);
    await restore(alice, { id });
    expect(textAt('docs/plan.txt')).toBe('one');
    expect((await alice.texts(plan)).toSorted()).toEqual(['one', 'two']);
    expect((await alice.list(plan)).versions.find((version) => version.id === id)?.label).toBe('signed');
  });

  test('is written to a new file as a copy, under the next free name or a given one', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    expect(await restore(alice, { id, as: 'copy' })).toEqual({ path: '/docs/plan(1).txt', replaced: null });
    expect(await restore(alice, { id, as: 'copy' })).toEqual({ path: '/docs/plan(2).txt', replaced: null });
    const to = '/alice/new/former.txt';
    expect(await restore(alice, { id, as: 'copy', to })).toEqual({ path: to, replaced: null });
    expect([textAt('docs/plan.txt'), textAt('docs/plan(2).txt'), textAt('alice/new/former.txt')]).toEqual([
      'two',
      'one',
      'one',
    ]);
    expect(await alice.texts(plan)).toEqual(['one']);
    expect(await alice.status('POST', '/api/versions/restore', { id, as: 'copy', to })).toBe(409);
  });

  test('is restored although another program has removed the file', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    rmSync(join(app.root, 'docs/plan.txt'));
    expect(await (await client('modifier')).status('POST', '/api/versions/restore', { id })).toBe(403);
    expect(await restore(alice, { id })).toEqual({ path: plan, replaced: null });
    expect(textAt('docs/plan.txt')).toBe('one');
  });

  test('is restored once by two requests at the same time', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const both = [1, 2].map(() => alice.status('POST', '/api/versions/restore', { id }));
    expect((await Promise.all(both)).toSorted()).toEqual([200, 404]);
    expect([textAt('docs/plan.txt'), await alice.texts(plan)]).toEqual(['one', ['two']]);
  });
});

describe('label and protection of a version', () => {
  test('are set, shown and removed', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const change = async (json: object): Promise<Version> =>
      (await (await alice.send('PATCH', `/api/versions/${id}`, json)).json()) as Version;
    expect(await change({ label: ' final ', keepForever: true })).toMatchObject({
      label: 'final',
      keepForever: true,
    });
    expect(await change({ label: '' })).toMatchObject({ label: null, keepForever: true });
    expect(await alice.version(plan)).toMatchObject({ label: null, keepForever: true, canDelete: false });
    expect(await change({ keepForever: false })).toMatchObject({ keepForever: false, canDelete: true });
  });
});

describe('deleting a version', () => {
  test('hides it at once, can be cancelled, and removes it afterwards', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const path = `/api/versions/${id}`;
    const response = await alice.send('DELETE', path);
    const { undoUntil } = (await response.json()) as { undoUntil: string };
    expect([response.status, Date.parse(undoUntil) > app.clock.now()]).toEqual([200, true]);
    expect((await alice.list(plan)).total).toBe(0);
    expect(await alice.status('DELETE', path)).toBe(404);
    expect(await alice.status('POST', '/api/trash/purge/cancel', { ids: [id] })).toBe(200);
    expect(await alice.texts(plan)).toEqual(['one']);
    expect(await alice.status('DELETE', path)).toBe(200);
    app.clock.advance(10_001);
    await expect.poll(stored).toEqual([]);
  });

  test('is an operation with the path of the file, which can be undone', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const response = await alice.send('DELETE', `/api/versions/${id}`);
    const operation = response.headers.get('x-operation') ?? '';
    const { items } = (await (await alice.send('GET', '/api/operations')).json()) as { items: unknown[] };
    expect(items[0]).toMatchObject({ id: operation, kind: 'purge', path: plan });
    expect(await alice.status('POST', `/api/operations/${operation}/undo`)).toBe(200);
    expect(await alice.texts(plan)).toEqual(['one']);
  });

  test('is limited to the user’s own, except for administrators', async () => {
    await (await client('keeper')).save(plan, 'two');
    const { id } = await alice.version(plan);
    const path = `/api/versions/${id}`;
    expect(await alice.status('DELETE', path)).toBe(403);
    expect(await (await client('keeper')).status('DELETE', path)).toBe(403);
    expect(await admin.status('PATCH', path, { keepForever: true })).toBe(200);
    expect(await admin.status('DELETE', path)).toBe(403);
    expect(await admin.status('PATCH', path, { keepForever: false })).toBe(200);
    expect(await admin.status('DELETE', path)).toBe(200);
  });
});
