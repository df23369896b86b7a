import { act, render, screen } from '@testing-library/react';
import { Routes, useLocation } from '../../ui/navigation/router.tsx';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { storeToken } from '../../api/token-store.ts';
import { signIn, signOut, startSession } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { holdPage } from '../../ui/navigation/hold-page.ts';
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts';
import { RequireUser, RequireVisitor } from './guards.tsx';

const configured = { ...pageConfig };
const fetched = vi.fn<typeof fetch>();
beforeEach(async () => {
  vi.stubGlobal('fetch', fetched);
  await startSession();
});
afterEach(() => {
  storeToken(null);
  localStorage.clear();
  Object.assign(pageConfig, configured);
  vi.unstubAllGlobals();
});

/** Shows the current address. */
function CurrentAddress() {
  const { pathname, search } = useLocation();
  return <output>{`${pathname}${search}`}</output>;
}

function show(address: string) {
  return render(
    <MemoryRouter address={address}>
      <CurrentAddress />
      <Routes
        paths={{ '/login': <RequireVisitor>login page</RequireVisitor> }}
        otherwise={<RequireUser>the files</RequireUser>}
      />
    </MemoryRouter>,
  );
}
const currentAddress = () => screen.getByRole('status', { hidden: true }).textContent;

async function signInAs(user = ada): Promise<void> {
  fetched.mockResolvedValueOnce(new Response(tokenOf(user)));
  await act(() => signIn({ username: 'ada', password: 'secret' }));
}

test('sends a visitor to the login page and back to the complete address', async () => {
  show('/files/a%20b/?x=1');
  expect(currentAddress()).toBe('/login?redirect=%2Ffiles%2Fa%2520b%2F%3Fx%3D1');
  await signInAs();
  expect(currentAddress()).toBe('/files/a%20b/?x=1');
  expect(screen.getByText('the files')).toBeTruthy();
});

test('redirects a signed-in user away from the login page', async () => {
  await signInAs();
  show('/login');
  expect(currentAddress()).toBe('/files/');
});

test.each([
  ['files', '/files/'],
  ['home', '/home'],
] as const)('goes to the page “%s” that the user starts on after signing in', async (startOn, address) => {
  Object.assign(pageConfig, { EnableCatalogue: true });
  show('/login');
  await signInAs({ ...ada, startOn });
  expect(currentAddress()).toBe(address);
});

test('starts on the files instead of Home on a server without a catalogue', async () => {
  show('/login');
  await signInAs({ ...ada, startOn: 'home' });
  expect(currentAddress()).toBe('/files/');
});

test('returns to the last place of the user in this browser, unless that was a page of the settings', async () => {
  const user = { ...ada, startOn: 'last' } as const;
  await signInAs(user);
  const { unmount } = show('/files/Lisbon/?x=1');
  unmount();
  show('/settings/profile').unmount();
  show('/login');
  expect(currentAddress()).toBe('/files/Lisbon/?x=1');
});

test.each([
  ['nothing'],
  ['https://evil.example/'],
  ['//evil.example/files/'],
  ['/settings/profile'],
  ['/filesystem'],
])('starts on the files if the stored place is %s', async (stored) => {
  localStorage.setItem('filestead.place.7', stored);
  show('/login');
  await signInAs({ ...ada, startOn: 'last' });
  expect(currentAddress()).toBe('/files/');
});

test('asks a visitor at the root to sign in without an address to return to', () => {
  show('/');
  expect(currentAddress()).toBe('/login');
});

test('never redirects to another site after signing in', async () => {
  await signInAs();
  show('/login?redirect=https%3A%2F%2Fevil.example%2F');
  expect(currentAddress()).toBe('/files/');
});

test('does not return the next user to the page that the previous user signed out from', async () => {
  await signInAs();
  show('/files/private/');
  fetched.mockResolvedValueOnce(new Response('200 OK\n'));
  await act(() => signOut());
  expect(currentAddress()).toBe('/login');
});

test('returns the user to the page after a session ended by itself', async () => {
  await signInAs();
  show('/files/private/');
  act(() => storeToken(null));
  expect(currentAddress()).toBe('/login?redirect=%2Ffiles%2Fprivate%2F&logout-reason=ended');
});

test('shows a notice if the session has expired', async () => {
  vi.useFakeTimers({ now: Date.now(), shouldAdvanceTime: true });
  try {
    fetched.mockResolvedValueOnce(new Response(tokenOf(ada, Date.now() + 60_000)));
    await act(() => signIn({ username: 'ada', password: 'secret' }));
    show('/files/');
    act(() => vi.advanceTimersByTime(61_000));
    expect(currentAddress()).toBe('/login?redirect=%2Ffiles%2F&logout-reason=inactivity');
  } finally {
    vi.useRealTimers();
  }
});

/** A form with unsaved changes. */
function Form() {
  useLeaveGuard(true);
  return <textarea aria-label="Text" defaultValue="not saved yet" />;
}

test('keeps unsaved changes when the session ends: the user continues after signing in again', async () => {
  await signInAs();
  render(
    <MemoryRouter address="/files/">
      <CurrentAddress />
      <RequireUser>
        <Form />
      </RequireUser>
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByLabelText('Text'), ', really');
  await act(async () => storeToken(null));
  const field = await screen.findByLabelText('Password of Ada Łovelace');
  expect(currentAddress()).toBe('/files/');
  fetched.mockResolvedValueOnce(new Response(tokenOf(ada)));
  await userEvent.type(field, 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('not saved yet, really');
});

test('keeps an open dialog when the session ends and shows the login page once it is closed', async () => {
  await signInAs();
  show('/files/private/');
  const release = holdPage();
  await act(async () => storeToken(null));
  await screen.findByLabelText('Password of Ada Łovelace');
  expect(currentAddress()).toBe('/files/private/');
  act(release);
  expect(currentAddress()).toBe('/login?redirect=%2Ffiles%2Fprivate%2F&logout-reason=ended');
});
