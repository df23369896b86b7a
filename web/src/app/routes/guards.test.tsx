import { act, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from '../../api/token-store.ts';
import { signIn, signOut } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { holdPage } from '../../ui/navigation/hold-page.ts';
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts';
import { RequireUser, RequireVisitor } from './guards.tsx';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal('fetch', fetched));
afterEach(() => {
  keepToken(null);
  vi.unstubAllGlobals();
});

function Place() {
  const { pathname, search } = useLocation();
  return <output>{`${pathname}${search}`}</output>;
}

function show(address: string) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Place />
      <Routes>
        <Route path="/login" element={<RequireVisitor>login page</RequireVisitor>} />
        <Route path="*" element={<RequireUser>the files</RequireUser>} />
      </Routes>
    </MemoryRouter>,
  );
}
const place = () => screen.getByRole('status', { hidden: true }).textContent;

async function signInAs(user = ada): Promise<void> {
  fetched.mockResolvedValueOnce(new Response(tokenOf(user)));
  await act(() => signIn({ username: 'ada', password: 'secret' }));
}

test('a visitor goes to the login page and comes back to the whole address', async () => {
  show('/files/a%20b/?x=1');
  expect(place()).toBe('/login?redirect=%2Ffiles%2Fa%2520b%2F%3Fx%3D1');
  await signInAs();
  expect(place()).toBe('/files/a%20b/?x=1');
  expect(screen.getByText('the files')).toBeTruthy();
});

test('whoever is signed in has no use for the login page', async () => {
  await signInAs();
  show('/login');
  expect(place()).toBe('/files/');
});

test('the way back never leads elsewhere', async () => {
  await signInAs();
  show('/login?redirect=https%3A%2F%2Fevil.example%2F');
  expect(place()).toBe('/files/');
});

test('after signing out on purpose the next one starts afresh', async () => {
  await signInAs();
  show('/files/private/');
  fetched.mockResolvedValueOnce(new Response('200 OK\n'));
  await act(() => signOut());
  expect(place()).toBe('/login');
});

test('a session that ends by itself leads back', async () => {
  await signInAs();
  show('/files/private/');
  act(() => keepToken(null));
  expect(place()).toBe('/login?redirect=%2Ffiles%2Fprivate%2F&logout-reason=ended');
});

test('a session that ends with its time says so', async () => {
  vi.useFakeTimers({ now: Date.now(), shouldAdvanceTime: true });
  try {
    fetched.mockResolvedValueOnce(new Response(tokenOf(ada, Date.now() + 60_000)));
    await act(() => signIn({ username: 'ada', password: 'secret' }));
    show('/files/');
    act(() => vi.advanceTimersByTime(61_000));
    expect(place()).toBe('/login?redirect=%2Ffiles%2F&logout-reason=inactivity');
  } finally {
    vi.useRealTimers();
  }
});

/** A form with something that is not saved yet. */
function Form() {
  useLeaveGuard(true);
  return <textarea aria-label="Text" defaultValue="not saved yet" />;
}

test('unsaved changes survive the end of the session: signing in again goes on where one was', async () => {
  await signInAs();
  render(
    <MemoryRouter initialEntries={['/files/']}>
      <Place />
      <RequireUser>
        <Form />
      </RequireUser>
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByLabelText('Text'), ', really');
  act(() => keepToken(null));
  const field = await screen.findByLabelText('Password of Ada Łovelace');
  expect(place()).toBe('/files/');
  fetched.mockResolvedValueOnce(new Response(tokenOf(ada)));
  await userEvent.type(field, 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('not saved yet, really');
});

test('an open dialog survives the end of the session; once it is closed the login page comes', async () => {
  await signInAs();
  show('/files/private/');
  const release = holdPage();
  act(() => keepToken(null));
  await screen.findByLabelText('Password of Ada Łovelace');
  expect(place()).toBe('/files/private/');
  act(release);
  expect(place()).toBe('/login?redirect=%2Ffiles%2Fprivate%2F&logout-reason=ended');
});
