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
