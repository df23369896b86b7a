import type { Share } from '@filestead/contract/shares';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { jsonResponse, problemResponse } from '../../api/test-responses.ts';
import { currentToasts } from '../../ui/feedback/toast.ts';
import { shareUrl } from './share-address.ts';
import { ShareDialog } from './share-dialog.tsx';
import { SharesPage } from './shares-page.tsx';

const fetched = vi.fn<typeof fetch>();
const onClose = vi.fn();
beforeEach(() => {
  fetched.mockReset();
  onClose.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

const shareOf = (hash: string, change: Partial<Share> = {}): Share => ({
  hash,
  path: '/docs/',
  userID: 1,
  expire: 0,
  hasPassword: false,
  created: 1,
  ...change,
});
const open = () =>
  render(
    <ShareDialog
      target={{ name: 'docs', path: virtualPath('/docs'), isFolder: true }}
      isOpen
      onClose={onClose}
    />,
  );
const lastBody = (): unknown => JSON.parse(String(fetched.mock.calls.at(-1)?.[1]?.body));
const shareButton = () => screen.getByRole('button', { name: 'Share' });

test('shows the form if there are no shares, and Cancel closes the dialog', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([]));
  open();
  expect(await screen.findByLabelText('Share Duration')).toBeDefined();
  expect(String(fetched.mock.calls[0]?.[0])).toBe('/api/share/docs/');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('begins the form with the default duration, also after a share was created', async () => {
  const before = pageConfig.ShareDefaults;
  pageConfig.ShareDefaults = { duration: 7, unit: 'days' };
  try {
    fetched.mockResolvedValueOnce(jsonResponse([]));
    open();
    expect(await screen.findByLabelText('Share Duration')).toHaveProperty('value', '7');
    expect(screen.getByRole('radio', { name: 'In 7 days' })).toHaveProperty('checked', true);
    fetched.mockResolvedValueOnce(jsonResponse(shareOf('made', { expire: Date.now() / 1000 + 604_800 })));
    await userEvent.click(shareButton());
    await waitFor(() => expect(lastBody()).toEqual({ expires: '7', unit: 'days' }));
    await userEvent.click(await screen.findByRole('button', { name: 'New link' }));
    expect(await screen.findByLabelText('Share Duration')).toHaveProperty('value', '7');
  } finally {
    pageConfig.ShareDefaults = before;
  }
});

test('shows the list if there are shares; New opens the form and Cancel returns', async () => {
  fetched.mockResolvedValueOnce(
    jsonResponse([
      shareOf('later', { expire: Date.now() / 1000 + 3 * 86_400 + 5 }),
      shareOf('always', { hasPassword: true }),
    ]),
  );
  open();
  const rows = within(await screen.findByRole('list', { name: 'Links' })).getAllByRole('listitem');
  expect(rows.map((row) => within(row).getByRole('textbox').getAttribute('value'))).toEqual([
    shareUrl('always'),
    shareUrl('later'),
  ]);
  const [permanentRow, expiringRow] = rows;
  expect([permanentRow?.textContent, expiringRow?.textContent]).toEqual([
    expect.stringMatching(/Permanent.*Password/u),
    expect.stringContaining('Ends in 3 days'),
  ]);
  // A protected share has no direct download link.
  const direct = { name: 'Copy direct download link' };
  expect(permanentRow && within(permanentRow).queryByRole('button', direct)).toBeNull();
  expect(expiringRow && within(expiringRow).getByRole('button', direct)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'New link' }));
  expect(screen.getByLabelText('Optional password')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('list', { name: 'Links' })).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});

test('creates a permanent share from an empty form and makes its address ready to copy', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([])).mockResolvedValueOnce(jsonResponse(shareOf('new')));
  open();
  await screen.findByLabelText('Share Duration');
  await userEvent.click(shareButton());
  expect(await screen.findByDisplayValue(shareUrl('new'))).toBeDefined();
  expect(lastBody()).toEqual({});
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Copy'));
});

test('sends a duration, its unit and a trimmed password', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([])).mockResolvedValueOnce(jsonResponse(shareOf('new')));
  open();
  await userEvent.click(await screen.findByLabelText('In 7 days'));
  expect((screen.getByLabelText('Share Duration') as HTMLInputElement).value).toBe('7');
  await userEvent.type(screen.getByLabelText('Optional password'), '  secret ');
  await userEvent.click(shareButton());
  await screen.findByDisplayValue(shareUrl('new'));
  expect(lastBody()).toEqual({ expires: '7', unit: 'days', password: 'secret' });
});

test('clears password and duration for the next share', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([])).mockResolvedValueOnce(jsonResponse(shareOf('first')));
  open();
  await userEvent.click(await screen.findByLabelText('In 7 days'));
  await userEvent.type(screen.getByLabelText('Optional password'), 'secret');
  await userEvent.click(shareButton());
  await screen.findByDisplayValue(shareUrl('first'));
  await userEvent.click(screen.getByRole('button', { name: 'New link' }));
  expect((screen.getByLabelText('Optional password') as HTMLInputElement).value).toBe('');
  fetched.mockResolvedValueOnce(jsonResponse(shareOf('second')));
  await userEvent.click(shareButton());
  await screen.findByDisplayValue(shareUrl('second'));
  expect(lastBody()).toEqual({});
});

test('treats a blank password as none and a duration of 0 as no expiry', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([])).mockResolvedValueOnce(jsonResponse(shareOf('new')));
  open();
  await userEvent.type(await screen.findByLabelText('Share Duration'), '0');
  await userEvent.type(screen.getByLabelText('Optional password'), '   ');
  await userEvent.click(shareButton());
  await screen.findByDisplayValue(shareUrl('new'));
  expect(lastBody()).toEqual({});
});

test.each(['-1', '1.5', '2147483648', 'x'])('does not send the duration %s', async (amount) => {
  fetched.mockResolvedValueOnce(jsonResponse([]));
  open();
  await userEvent.type(await screen.findByLabelText('Share Duration'), amount);
  expect(screen.getByText(/^Type a whole number/u)).toBeDefined();
  await userEvent.click(shareButton());
  expect(fetched).toHaveBeenCalledOnce();
});

test('shows in the dialog why no share was created', async () => {
  fetched
    .mockResolvedValueOnce(jsonResponse([]))
    .mockResolvedValueOnce(problemResponse(409, 'too_many_shares'));
  open();
  await screen.findByLabelText('Share Duration');
  await userEvent.click(shareButton());
  expect(await screen.findByText(/too many links already/u)).toBeDefined();
});

test('deletes a share after confirmation, and closes the dialog after the last one', async () => {
  fetched
    .mockResolvedValueOnce(jsonResponse([shareOf('only')]))
    .mockResolvedValueOnce(new Response('200 OK\n', { status: 200 }));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete link' }));
  const question = await screen.findByRole('alertdialog');
  expect(fetched).toHaveBeenCalledOnce();
  await userEvent.click(within(question).getByRole('button', { name: 'Delete link' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(fetched.mock.calls[1]?.[1]?.method).toBe('DELETE');
  expect(String(fetched.mock.calls[1]?.[0])).toBe('/api/share/only');
  expect(currentToasts().at(-1)?.message).toBe('Share deleted!');
});

test('lists all shares in a table with owners for administrators, with a search field if there are many', async () => {
  const many = Array.from({ length: 9 }, (_, index) =>
    shareOf(`h${index}`, { path: `/file ${index}.txt`, username: index === 4 ? 'maria' : 'admin' }),
  );
  fetched.mockResolvedValueOnce(jsonResponse(many));
  render(<SharesPage isAdmin />);
  const table = await screen.findByRole('table', { name: 'Share management' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Path', 'Share Duration', 'Username', 'Actions']);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search links' }), 'MARIA');
  expect(await screen.findByText('1 link')).toBeDefined();
  const found = screen.getByRole('link', { name: '/file 4.txt' });
  expect(found.getAttribute('href')).toBe(shareUrl('h4'));
});

test('lists no shares, and shares without owners for users', async () => {
  fetched.mockResolvedValueOnce(jsonResponse([]));
  const { unmount } = render(<SharesPage isAdmin={false} />);
  expect(await screen.findByText('No links yet.')).toBeDefined();
  unmount();
  fetched.mockResolvedValueOnce(jsonResponse([shareOf('h')]));
  render(<SharesPage isAdmin={false} />);
  await screen.findByRole('table');
  expect(screen.queryByRole('columnheader', { name: 'Username' })).toBeNull();
});
