import type { Version } from '@filestead/contract/endpoints/versions';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { undoLast } from '../../features/files/feedback/undo.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { closeToast, currentToasts } from '../../ui/feedback/toast.ts';
import { restoreFromDetails } from './restore-from-details.ts';

const entry = {
  name: 'quote.txt',
  path: virtualPath('/quote.txt'),
  isFolder: false,
  isSymlink: false,
  type: 'text',
  size: 1200,
  modifiedMs: Date.parse('2026-11-11T16:20:00Z'),
} as const;
const version = { id: 'v1', modified: '2026-11-09T10:02:00Z', written: null } as Version;

beforeAll(() => loadTexts('versions', 'files', 'common'));
afterEach(() => {
  for (const { id } of currentToasts()) closeToast(id);
  vi.unstubAllGlobals();
});

test('restores a version, which is undone like every change of files, also later', async () => {
  const requests: string[] = [];
  const report = {
    operation: 'op2',
    kind: 'restore',
    total: 1,
    undone: 1,
    failures: [],
    removed: [],
    folders: ['/'],
  };
  vi.stubGlobal('fetch', async (input: string) => {
    requests.push(String(input).replace(/^.*\/api/u, ''));
    return requests.length === 1
      ? Response.json({ path: '/quote.txt', replaced: 'v2' }, { headers: { 'X-Operation': 'op1' } })
      : Response.json({ ...report, paths: ['/quote.txt'] });
  });
  const changed = vi.fn();
  const stop = onFilesChange(changed);
  await restoreFromDetails(entry, version);
  expect(changed).toHaveBeenCalledOnce();
  const [toast] = currentToasts();
  expect(toast?.message).toContain('quote.txt');
  if (toast) closeToast(toast.id);
  await undoLast();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  expect(requests.slice(1)).toEqual(['/operations/op1/undo?check=true', '/operations/op1/undo']);
  await vi.waitFor(() => expect(currentToasts()[0]?.message).toMatch(/quote\.txt.* is as it was before/u));
  stop();
});

test('reports a version that could not be restored', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"code":"forbidden"}', { status: 403 }));
  await restoreFromDetails(entry, version);
  expect(currentToasts().map(({ tone }) => tone)).toEqual(['error']);
});
