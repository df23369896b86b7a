import type { Share } from '@filestead/contract/shares';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import { jsonResponse, problemResponse } from '../../../api/test-responses.ts';
import { currentToasts } from '../../../ui/feedback/toast.ts';
import { shareUrl } from '../../../api/public-share.ts';
import type { ShareHost } from '../share-host.ts';
import { shareOf } from '../test-shares.ts';
import { ShareDialog } from './share-dialog.tsx';

const fetched = vi.fn<typeof fetch>();
const onClose = vi.fn();
const host = {
  notifyWithUndo: vi.fn<ShareHost['notifyWithUndo']>(),
  addOperation: vi.fn<ShareHost['addOperation']>(),
  onUndone: vi.fn<ShareHost['onUndone']>(() => () => undefined),
};
beforeEach(() => {
  fetched.mockReset();
  for (const mock of Object.values(host)) mock.mockClear();
  onClose.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

const open = (shownHash?: string) =>
  render(
    <ShareDialog
      target={{ name: 'docs', path: virtualPath('/docs'), isFolder: true }}
      shownHash={shownHash}
      host={host}
      isOpen
      onClose={onClose}
    />,
  );
interface Sent {
  method: string;
  path: string;
  body: unknown;
}
/** The requests besides the first one, which lists the shares. */
const sent = (): Sent[] =>
  fetched.mock.calls.slice(1).map(([path, init]) => ({
    method: init?.method ?? 'GET',
    path: String(path),
    body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
  }));
/** Responds to the list with `shares`, and to changes as the server does. */
function serve(...shares: Share[]): void {
  fetched.mockImplementation(async (input, init) => {
    const path = String(input);
    if (init?.method === 'POST') return jsonResponse(shareOf('new'));
    if (init?.method === 'DELETE')
      return new Response('200 OK\n', { status: 200, headers: { 'X-Operation': 'deletion' } });
    if (init?.method !== 'PATCH') return jsonResponse(shares);
    const { expires, password } = JSON.parse(String(init.body)) as { expires?: number; password?: string };
    const hash = path.slice(path.lastIndexOf('/') + 1);
    const before = shares.find((share) => share.hash === hash) ?? shareOf(hash);
    return jsonResponse({
      ...before,
      ...(expires !== undefined && { expire: expires === 0 ? 0 : 1_900_000_000 }),
      ...(password !== undefined && { hasPassword: password !== '' }),
    });
  });
}
const mockClipboard = () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', {
    ...navigator,
    language: 'en',
    languages: ['en'],
    userAgent: 'test',
    clipboard: { writeText },
  });
  return writeText;
};

test('creates a permanent share when it is opened, and copies its address', async () => {
  const writeText = mockClipboard();
  serve();
  open();
  expect(await screen.findByDisplayValue(shareUrl('new'))).toBeDefined();
  expect(String(fetched.mock.calls[0]?.[0])).toBe('/api/share/docs/');
  expect(sent()).toEqual([{ method: 'POST', path: '/api/share/docs/', body: {} }]);
  await waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith(shareUrl('new')));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBe(document.activeElement);
  expect(screen.getByText('Link copied!')).toBeDefined();
  expect(currentToasts()).toEqual([]);
});

test('creates the share with the default duration of the administrator', async () => {
  const before = pageConfig.ShareDefaults;
  pageConfig.ShareDefaults = { duration: 7, unit: 'days' };
  try {
    serve();
    open();
    await screen.findByDisplayValue(shareUrl('new'));
    expect(sent()).toEqual([
      { method: 'POST', path: '/api/share/docs/', body: { expires: '7', unit: 'days' } },
    ]);
  } finally {
    pageConfig.ShareDefaults = before;
  }
});

test('shows an existing share and creates no further one', async () => {
  const writeText = mockClipboard();
  serve(shareOf('always', { visits: 3 }), shareOf('later', { expire: Date.now() / 1000 + 3 * 86_400 + 5 }));
  open();
  expect(await screen.findByDisplayValue(shareUrl('always'))).toBeDefined();
  expect(screen.getByText(/3 visits/u)).toBeDefined();
  const others = screen.getByRole('region', { name: 'Other links' });
  expect(within(others).getByText('Expires in 3 days')).toBeDefined();
  await userEvent.click(within(others).getByRole('button', { name: 'Edit link later' }));
  expect(await screen.findByDisplayValue(shareUrl('later'))).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(shareUrl('later'));
  expect(sent()).toEqual([]);
});

test('selects the address for manual copying if the browser does not allow to copy', async () => {
  mockClipboard().mockRejectedValue(new Error('not allowed'));
  serve(shareOf('Ab'));
  open();
  const field = await screen.findByDisplayValue<HTMLInputElement>(shareUrl('Ab'));
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
  expect(currentToasts().at(-1)?.tone).toBe('error');
});

test('shows the share that was chosen on the page of all shares first', async () => {
  serve(shareOf('always'), shareOf('later', { expire: Date.now() / 1000 + 86_400 }));
  open('later');
  expect(await screen.findByDisplayValue(shareUrl('later'))).toBeDefined();
});

test.each([
  ['Never', { expires: 0 }],
  ['7 days', { expires: 7, unit: 'days' }],
  ['30 days', { expires: 30, unit: 'days' }],
])('saves the expiry “%s” at once', async (name, body) => {
  serve(shareOf('one', { expire: Date.now() / 1000 + 86_400 }));
  open();
  await userEvent.click(await screen.findByRole('radio', { name }));
  await waitFor(() => expect(sent()).toEqual([{ method: 'PATCH', path: '/api/share/one', body }]));
  expect(await screen.findByText(/^Saved\./u)).toBeDefined();
  expect(screen.getByRole('radio', { name })).toHaveProperty('checked', true);
});

test('saves a date when the field loses the focus, and refuses a past one', async () => {
  serve(shareOf('one', { expire: Date.now() / 1000 + 86_400 }));
  open();
  const field = await screen.findByLabelText('Expires on');
  fireEvent.change(field, { target: { value: '2001-01-01T10:00' } });
  expect(await screen.findByText('Choose a time in the future.')).toBeDefined();
  fireEvent.blur(field);
  expect(sent()).toEqual([]);
  fireEvent.change(field, { target: { value: '2199-01-01T10:00' } });
  fireEvent.blur(field);
  await waitFor(() =>
    expect(sent()).toEqual([
      { method: 'PATCH', path: '/api/share/one', body: { expires: expect.any(Number), unit: 'seconds' } },
    ]),
  );
});

test('suggests a password that is saved at once, and saves a typed one on Enter', async () => {
  serve(shareOf('one'));
  open();
  await userEvent.click(await screen.findByRole('switch', { name: 'Password' }));
  const field = screen.getByLabelText('Password of the link');
  const suggestion = (field as HTMLInputElement).value;
  expect(suggestion).toMatch(/^\w{5}-\w{5}-\d\d$/u);
  await waitFor(() =>
    expect(sent()).toEqual([{ method: 'PATCH', path: '/api/share/one', body: { password: suggestion } }]),
  );
  await userEvent.clear(field);
  await userEvent.type(field, ' plum {Enter}');
  await waitFor(() => expect(sent().at(-1)?.body).toEqual({ password: 'plum' }));
  expect(sent()).toHaveLength(2);
});

test('removes the password when the switch is turned off', async () => {
  serve(shareOf('one', { hasPassword: true }));
  open();
  const toggle = await screen.findByRole('switch', { name: 'Password' });
  expect(toggle).toHaveProperty('checked', true);
  await userEvent.click(toggle);
  await waitFor(() =>
    expect(sent()).toEqual([{ method: 'PATCH', path: '/api/share/one', body: { password: '' } }]),
  );
  expect(screen.queryByLabelText('Password of the link')).toBeNull();
});

test('forgets a password that could not be saved when the switch is turned off', async () => {
  serve(shareOf('one', { hasPassword: true }));
  open();
  await userEvent.type(await screen.findByLabelText('Password of the link'), 'plum');
  fetched.mockResolvedValueOnce(problemResponse(500, 'internal_error'));
  await userEvent.click(screen.getByRole('switch', { name: 'Password' }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() =>
    expect(sent().map(({ body }) => body)).toEqual([{ password: 'plum' }, { password: '' }]),
  );
});

test('saves a typed password when the dialog is closed', async () => {
  serve(shareOf('one', { hasPassword: true }));
  open();
  await userEvent.type(await screen.findByLabelText('Password of the link'), 'plum');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() =>
    expect(sent()).toEqual([{ method: 'PATCH', path: '/api/share/one', body: { password: 'plum' } }]),
  );
});

test('reverts an option that could not be saved, and shows the reason', async () => {
  fetched
    .mockResolvedValueOnce(jsonResponse([shareOf('one')]))
    .mockResolvedValueOnce(problemResponse(403, 'forbidden'));
  open();
  await userEvent.click(await screen.findByRole('radio', { name: '7 days' }));
  expect(await screen.findByText("You don't have permission to share this.")).toBeDefined();
  expect(screen.getByRole('radio', { name: 'Never' })).toHaveProperty('checked', true);
});

test('shows why no share was created, and creates it on retry', async () => {
  fetched
    .mockResolvedValueOnce(jsonResponse([]))
    .mockResolvedValueOnce(problemResponse(409, 'too_many_shares'))
    .mockResolvedValueOnce(jsonResponse(shareOf('new')));
  open();
  expect(await screen.findByText(/too many links already/u)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByDisplayValue(shareUrl('new'))).toBeDefined();
});

test('deletes a share without asking, offers to undo that, and closes the dialog after the last one', async () => {
  serve(shareOf('only'));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete link' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent()).toMatchObject([{ method: 'DELETE', path: '/api/share/only?expired=true' }]);
  expect(host.notifyWithUndo.mock.calls).toEqual([['Share deleted!', ['deletion']]]);
});

test('reports a share that was deleted elsewhere as deleted, without an undo, and other failures with their reason', async () => {
  serve(shareOf('only'));
  open();
  const button = await screen.findByRole('button', { name: 'Delete link' });
  fetched.mockImplementation(async () => problemResponse(403, 'forbidden'));
  await userEvent.click(button);
  await waitFor(() => expect(currentToasts().at(-1)?.tone).toBe('error'));
  expect(onClose).not.toHaveBeenCalled();
  fetched.mockImplementation(async () => problemResponse(404, 'not_found'));
  await userEvent.click(button);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(currentToasts().at(-1)?.message).toBe('Share deleted!');
  expect(host.notifyWithUndo).not.toHaveBeenCalled();
});
