import type { Version } from '@filestead/contract/endpoints/versions';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { onFilesChange } from '../../features/files/entries/changes.ts';
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

test('restores a version, and its undo restores the replaced state', async () => {
  const restored: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    restored.push(JSON.parse(init?.body as string));
    return new Response(JSON.stringify({ path: '/quote.txt', replaced: 'v2' }));
  });
  const changed = vi.fn();
  const stop = onFilesChange(changed);
  await restoreFromDetails(entry, version);
  expect(changed).toHaveBeenCalledOnce();
  const [toast] = currentToasts();
  expect(toast?.message).toContain('quote.txt');
  toast?.action?.onAction();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  expect(restored).toEqual([{ id: 'v1' }, { id: 'v2' }]);
  stop();
});

test('reports a version that could not be restored', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"code":"forbidden"}', { status: 403 }));
  await restoreFromDetails(entry, version);
  expect(currentToasts().map(({ tone }) => tone)).toEqual(['error']);
});
