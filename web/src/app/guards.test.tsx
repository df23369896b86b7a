import { act, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from '../api/token-store.ts';
import { signIn, signOut } from '../features/sessions/session-store.ts';
import { ada, tokenOf } from '../features/sessions/test-token.ts';
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
const place = () => screen.getByRole('status').textContent;

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
  expect(place()).toBe('/login?redirect=%2Ffiles%2Fprivate%2F');
});
