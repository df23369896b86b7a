import { act, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { problemResponse } from '../../api/test-responses.ts';
import { storeToken } from '../../api/token-store.ts';
import { signIn } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { PublicShareRoute } from './share-routes.tsx';

const fetched = vi.fn<typeof fetch>();
const configured = { ...pageConfig };
beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockImplementation(async () => problemResponse(401, 'password_required'));
  Object.assign(pageConfig, { LoginPage: true, HideLoginButton: false, Signup: false });
});
afterEach(() => {
  act(() => storeToken(null));
  Object.assign(pageConfig, configured);
  vi.unstubAllGlobals();
});

async function open() {
  render(
    <MemoryRouter address="/share/Ab/">
      <PublicShareRoute />
    </MemoryRouter>,
  );
  await screen.findByLabelText('Password');
}
const links = () => {
  const header = screen.queryByRole('navigation', { name: 'Account' });
  return header === null
    ? null
    : within(header)
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]);
};

test('shows a visitor Login in the header, without Sign up if accounts cannot be created', async () => {
  await open();
  expect(links()).toEqual([['Login', '/login']]);
});

test('shows a visitor Login and Sign up in the header if accounts can be created', async () => {
  Object.assign(pageConfig, { Signup: true });
  await open();
  expect(links()).toEqual([
    ['Login', '/login'],
    ['Sign up', '/login?signup'],
  ]);
});

test.each([
  ['there is no login page', { LoginPage: false, Signup: true }],
  ['the login button is hidden', { HideLoginButton: true, Signup: true }],
])('hides Login from the header if %s', async (_, config) => {
  Object.assign(pageConfig, config);
  await open();
  expect(links()).toBeNull();
});

test('hides Login from the header for a signed-in user', async () => {
  fetched.mockResolvedValueOnce(new Response(tokenOf(ada)));
  await act(() => signIn({ username: 'ada', password: 'secret' }));
  await open();
  expect(links()).toBeNull();
});
