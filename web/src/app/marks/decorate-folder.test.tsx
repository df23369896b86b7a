import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { useOwnShares } from '../shares/own-shares.ts';
import { decorateFolder } from './decorate-folder.tsx';

afterEach(() => {
  useOwnShares.setState({ userId: null, count: null, paths: new Set() });
  vi.unstubAllGlobals();
});

test('marks entries that have a share, also shares that are created later', () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  useOwnShares.setState({ userId: 1, count: 1, paths: new Set(['/docs/house']) });
  const model = new ListingModel();
  const stop = decorateFolder({ path: virtualPath('/docs'), model } as FolderSession);
  const markOf = (name: string) => render(<>{model.decoration(name)}</>).container.textContent;
  expect(markOf('house')).toBe('Shared');
  expect(markOf('budget')).toBe('');
  useOwnShares.setState({ userId: 1, count: 2, paths: new Set(['/docs/house', '/docs/budget']) });
  expect(markOf('budget')).toBe('Shared');
  stop();
});

test('says that entries are new, and who has added them as far as the user may know', async () => {
  vi.useFakeTimers();
  const operation = (path: string, user: string | null, more: object = {}) => ({
    path,
    user,
    isOwn: false,
    kind: 'upload',
    ...more,
  });
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = String(input);
    if (!url.includes('/api/operations')) return new Response('{}', { status: 500 });
    urls.push(url);
    const items = [
      operation('/docs/other/scan.pdf', 'eve'),
      operation('/docs/scan.pdf', 'mallory', { kind: 'delete' }),
      operation('/docs/scan.pdf', 'Scanner'),
      operation('/docs/scan.pdf', 'eve'),
      operation('/docs/own.txt', 'ada', { isOwn: true }),
    ];
    return Response.json({ items, next: null });
  });
  const model = new ListingModel();
  model.open({
    path: '/docs/',
    name: 'docs',
    modified: '2026-01-01T00:00:00Z',
    numDirs: 0,
    numFiles: 4,
    sorting: { by: 'name', asc: false },
    types: ['', 'text'],
  });
  model.append(['old.txt', 'own.txt', 'program.log', 'scan.pdf'].map((name) => [name, 1, 1, 1] as const));
  model.end();
  const stop = decorateFolder({ path: virtualPath('/docs'), model } as FolderSession);
  const noteOf = (name: string) =>
    render(<>{model.decoration(name)}</>).container.textContent.replaceAll(/[\u2066-\u2069]/gu, '');
  expect(noteOf('scan.pdf')).toBe('');
  const ids = ['own.txt', 'program.log', 'scan.pdf'].map((name) => model.find(name) ?? -1);
  model.markArrived(ids, true);
  expect(noteOf('scan.pdf')).toBe('New');
  expect(noteOf('old.txt')).toBe('');
  await vi.advanceTimersByTimeAsync(300);
  expect(urls).toHaveLength(1);
  expect(['scan.pdf', 'own.txt', 'program.log'].map(noteOf)).toEqual(['New, from Scanner', 'New', 'New']);
  model.selectOnly(model.find('scan.pdf') ?? -1);
  expect(noteOf('scan.pdf')).toBe('');
  model.markArrived(ids, false);
  expect(noteOf('program.log')).toBe('');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(urls).toHaveLength(1);
  stop();
  vi.useRealTimers();
});
