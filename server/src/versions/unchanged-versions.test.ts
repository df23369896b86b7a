import { describe, expect, test, vi } from 'vitest';
import { alice, app, plan, stored, textAt, useVersionsApp } from '../../test/fixtures/versions-app.ts';

useVersionsApp();

describe('a file that is replaced by the same content', () => {
  const unchanged = (path: string): Promise<void> =>
    vi.waitFor(async () => expect(await alice.version(path)).toMatchObject({ isUnchanged: true, size: 0 }));

  test('keeps the record of the replacement, but no bytes', async () => {
    await alice.save(plan, 'two');
    await alice.save(plan, 'two');
    await unchanged(plan);
    const [latest, first] = (await alice.list(plan)).versions;
    expect(latest).toMatchObject({
      written: { act: 'save', by: 'alice' },
      replaced: { act: 'save', by: 'alice' },
      canRestore: false,
      canDelete: false,
    });
    expect(first).toMatchObject({ isUnchanged: false, size: 3 });
    expect(stored()).toEqual([first?.id]);
    expect(await alice.status('GET', `/api/versions/raw/${latest?.id}`)).toBe(404);
    expect(await alice.status('POST', '/api/versions/restore', { id: latest?.id })).toBe(404);
    expect(await alice.status('DELETE', `/api/versions/${latest?.id}`)).toBe(404);
    expect(await alice.status('PATCH', `/api/versions/${latest?.id}`, { label: 'x' })).toBe(404);
  });

  test('keeps the former state when the sizes are equal and the contents are not', async () => {
    await alice.save(plan, 'two');
    await alice.save('/docs/other.txt', 'other');
    await unchanged('/docs/other.txt');
    // The comparisons run in the order of the changes.
    expect(await alice.version(plan)).toMatchObject({ isUnchanged: false, size: 3 });
    expect(await alice.texts(plan)).toEqual(['one']);
  });

  test('can be undone, which changes nothing', async () => {
    const response = await app.fetch(`/api/resources${plan}`, {
      method: 'PUT',
      token: alice.token,
      body: 'one',
    });
    await unchanged(plan);
    const id = response.headers.get('x-operation') ?? '';
    await vi.waitFor(async () =>
      expect(await alice.status('POST', `/api/operations/${id}/undo`, {})).toBe(200),
    );
    expect(textAt('docs/plan.txt')).toBe('one');
  });
});
