import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonResponse } from '../../../api/test-responses.ts';
import { shareUrl } from '../../../api/public-share.ts';
import type { ShareHost } from '../share-host.ts';
import { shareOf } from '../test-shares.ts';
import { SharesPage } from './shares-page.tsx';

const fetched = vi.fn<typeof fetch>();
const host = {
  notifyWithUndo: vi.fn<ShareHost['notifyWithUndo']>(),
  addOperation: vi.fn<ShareHost['addOperation']>(),
  onUndone: vi.fn<ShareHost['onUndone']>(() => () => undefined),
};
beforeEach(() => {
  fetched.mockReset();
  for (const mock of Object.values(host)) mock.mockClear();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

test('shows a share again after its deletion was undone', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([shareOf('only')]));
  render(<SharesPage isAdmin={false} host={host} />);
  expect(await screen.findByRole('link', { name: '/docs/' })).toBeDefined();
  const restored = shareOf('restored', { path: '/restored.txt' });
  fetched.mockResolvedValueOnce(jsonResponse([shareOf('only'), restored]));
  for (const [listener] of host.onUndone.mock.calls) act(listener);
  expect(await screen.findByRole('link', { name: '/restored.txt' })).toBeDefined();
});

test('lists all shares in a table with owners for administrators, with a search field if there are many', async () => {
  const many = Array.from({ length: 9 }, (_, index) =>
    shareOf(`h${index}`, { path: `/file ${index}.txt`, username: index === 4 ? 'maria' : 'admin' }),
  );
  fetched.mockResolvedValueOnce(jsonResponse(many));
  render(<SharesPage isAdmin host={host} />);
  const table = await screen.findByRole('table', { name: 'Share management' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Path', 'Share duration', 'Username', 'Actions']);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search links' }), 'MARIA');
  expect(await screen.findByText('1 link')).toBeDefined();
  const found = screen.getByRole('link', { name: '/file 4.txt' });
  expect(found.getAttribute('href')).toBe(shareUrl('h4'));
});

test('shows users an empty list, and their shares without owners', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([]));
  const { unmount } = render(<SharesPage isAdmin={false} host={host} />);
  expect(await screen.findByText('No links yet')).toBeDefined();
  unmount();
  fetched.mockResolvedValueOnce(jsonResponse([shareOf('h')]));
  render(<SharesPage isAdmin={false} host={host} />);
  await screen.findByRole('table');
  expect(screen.queryByRole('columnheader', { name: 'Username' })).toBeNull();
});
