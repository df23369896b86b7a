import { rootPath } from '@filestead/contract/paths/virtual-path';
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Routes } from '../../ui/navigation/router.tsx';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonResponse } from '../../api/test-responses.ts';
import { storeToken } from '../../api/token-store.ts';
import { announceChange } from '../../features/files/entries/changes.ts';
import { signIn } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { closeAllToasts, currentToasts } from '../../ui/feedback/toast.ts';
import { setSingleKeys } from '../../ui/keyboard/single-keys.ts';
import { RequireUser } from '../routes/guards.tsx';
import { Frame, type FrameProps } from './frame.tsx';

const fetched = vi.fn<typeof fetch>();
beforeEach(async () => {
  localStorage.clear();
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media === '(width >= 1024px)' }),
  );
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
  fetched.mockImplementation(async (url) =>
    String(url).startsWith('/api/usage')
      ? jsonResponse({ used: 41_339_060_224, total: 43_486_543_872 })
      : new Response(tokenOf(ada)),
  );
  await signIn({ username: 'ada', password: 'secret' });
});
afterEach(() => {
  act(() => storeToken(null));
  act(closeAllToasts);
  vi.unstubAllGlobals();
});

const show = (props: Partial<FrameProps> = {}) =>
  render(
    <MemoryRouter address="/files/">
      <Routes
        paths={{ '/login': 'login page' }}
        otherwise={
          <RequireUser>
            <Frame header={<h1>Lisbon</h1>} phone={{ title: 'Lisbon' }} usagePath={rootPath} {...props}>
              <input aria-label="a field" />
            </Frame>
          </RequireUser>
        }
      />
    </MemoryRouter>,
  );
const sidebar = () => within(screen.getByRole('complementary', { name: 'Sidebar' }));

test('describes the usage in words and warns with its color', async () => {
  show();
  expect(await screen.findByText('41.3 GB of 43.5 GB used')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'Storage' });
  expect([bar.getAttribute('aria-valuenow'), bar.dataset['tone']]).toEqual(['95', 'danger']);
});

test('measures the usage again after files have changed', async () => {
  show();
  await screen.findByText('41.3 GB of 43.5 GB used');
  fetched.mockImplementation(async () => jsonResponse({ used: 1000, total: 4000 }));
  act(() => announceChange({ folders: [rootPath] }));
  expect(await screen.findByText('1 KB of 4 KB used')).toBeTruthy();
});

test('reports once that the space cannot be measured, and removes the notice once it can', async () => {
  const forbidden = () => Promise.resolve(new Response('{"code":"forbidden"}', { status: 403 }));
  fetched.mockImplementation((url) =>
    String(url).startsWith('/api/usage') ? forbidden() : Promise.resolve(new Response(tokenOf(ada))),
  );
  show();
  await vi.waitFor(() =>
    expect(currentToasts().map(({ message }) => message)).toEqual([
      expect.stringContaining('The used space could not be measured.'),
    ]),
  );
  fetched.mockImplementation(async () => jsonResponse({ used: 1000, total: 4000 }));
  act(() => announceChange({ folders: [rootPath] }));
  await vi.waitFor(() => expect(currentToasts()).toEqual([]), { timeout: 5000 });
});

test('offers help and logout in the sidebar', async () => {
  show();
  const openMenu = () => userEvent.click(sidebar().getByRole('button', { name: /^Account of/u }));
  await openMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Help/u }));
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await openMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  expect(await screen.findByText('login page')).toBeTruthy();
});

test('offers creating entries only to users with the permission', async () => {
  const onNewFolder = vi.fn<() => void>();
  const { unmount } = show({ onNewFolder });
  await userEvent.click(sidebar().getByRole('button', { name: 'New folder or file' }));
  expect(await screen.findByRole('menuitem', { name: 'New folder' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'New file' })).toBeNull();
  await userEvent.click(screen.getByRole('menuitem', { name: 'New folder' }));
  expect(onNewFolder).toHaveBeenCalledOnce();
  unmount();
  show();
  expect(sidebar().queryByRole('button', { name: 'New folder or file' })).toBeNull();
});

test('collapses the sidebar with Ctrl+\\, remembers it, and keeps the names for assistive technology', async () => {
  show({ onNewFolder: () => undefined });
  const user = userEvent.setup();
  await user.keyboard('{Control>}\\{/Control}');
  expect(localStorage.getItem('filestead.sidebar')).toBe('collapsed');
  expect(sidebar().getByRole('button', { name: 'Expand sidebar' })).toBeTruthy();
  expect(sidebar().getByRole('link', { name: 'My files' }).textContent).toBe('');
  await user.keyboard('{Control>}\\{/Control}');
  expect(sidebar().getByRole('treeitem', { name: 'My files' }).textContent).toBe('My files');
});

test('leads past the sidebar and the top bar with its first tab stop', async () => {
  show();
  // The element that had the focus in an earlier test has disappeared, so that a key would return the focus first.
  screen.getByRole('main').focus();
  screen.getByRole('main').blur();
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Skip to the content');
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('treats keys in a field as text', async () => {
  show();
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('a field'), '[[?');
  expect(screen.getByLabelText<HTMLInputElement>('a field').value).toBe('[?');
  expect(sidebar().getByRole('button', { name: 'Collapse sidebar' })).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('shows the keys after F1', async () => {
  show();
  await userEvent.keyboard('{F1}');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(help).getByText('Collapse or expand the sidebar')).toBeTruthy();
});

test('shows the commands after Shift+F1, because Firefox reserves the other shortcut', async () => {
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView ??= () => undefined;
  show();
  await userEvent.keyboard('{Shift>}{F1}{/Shift}');
  expect(await screen.findByRole('combobox', { name: 'Find a command' })).toBeTruthy();
});

test('disables single-character shortcuts when they are turned off, and omits them from the help', async () => {
  act(() => setSingleKeys(false));
  show();
  const user = userEvent.setup();
  await user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{F1}');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(help).queryByText('?')).toBeNull();
  expect(within(help).getByText('F1')).toBeTruthy();
  act(() => setSingleKeys(true));
  expect(within(help).getByText('?')).toBeTruthy();
});

test('makes a frame inert while a file covers it', () => {
  show({ isCovered: true });
  expect(screen.getByLabelText('a field').closest('[inert]')).not.toBeNull();
});

test("signs out through the user's menu", async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Account of Ada Łovelace' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  expect(await screen.findByText('login page')).toBeTruthy();
  const requestedUrls = fetched.mock.calls.map(([url]) => String(url));
  expect(requestedUrls).toContain('/api/logout');
  expect(localStorage.getItem('jwt')).toBeNull();
});
