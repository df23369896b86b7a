import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemAnswer } from '../../api/test-answers.ts';
import { currentToken, keepToken } from '../../api/token-store.ts';
import { LoginPage } from './login-page.tsx';
import { ada, tokenOf } from './test-token.ts';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  keepToken(null);
  vi.unstubAllGlobals();
});

const username = () => screen.getByLabelText('Username');
const password = () => screen.getByLabelText('Password');

async function submit(name: string, secret: string): Promise<void> {
  const user = userEvent.setup();
  if (name) await user.type(username(), name);
  if (secret) await user.type(password(), secret);
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

test('the fields are labelled, known to password managers, and the first has the focus', () => {
  render(<LoginPage />);
  expect(document.activeElement).toBe(username());
  expect(username().getAttribute('autocomplete')).toBe('username');
  expect(password().getAttribute('autocomplete')).toBe('current-password');
});

test('the right password signs in', async () => {
  fetched.mockResolvedValueOnce(new Response(tokenOf(ada)));
  render(<LoginPage />);
  await submit('ada', ' secret ');
  await vi.waitFor(() => expect(currentToken()).toBe(tokenOf(ada)));
  expect(JSON.parse(String(fetched.mock.calls[0]?.[1]?.body))).toEqual({
    username: 'ada',
    password: ' secret ',
    recaptcha: '',
  });
});

test.each([
  ['a wrong password', problemAnswer(403, 'wrong_credentials'), 'Wrong credentials'],
  [
    'too many attempts',
    problemAnswer(429, 'too_many_requests', { 'Retry-After': '30' }),
    /^Too many attempts. Try again in 30 secs?.$/u,
  ],
  ['a broken server', problemAnswer(500, 'internal_error'), 'Something really went wrong.'],
  ['no connection', new TypeError('Failed to fetch'), "The server can't be reached."],
])('%s is said under the password, and the focus is back in it', async (_name, answer, message) => {
  if (answer instanceof Error) fetched.mockRejectedValueOnce(answer);
  else fetched.mockResolvedValueOnce(answer);
  render(<LoginPage />);
  await submit('ada', 'guess');
  const alert = await screen.findByText(message);
  expect(document.activeElement).toBe(password());
  expect(password().getAttribute('aria-invalid')).toBe('true');
  expect(password().getAttribute('aria-describedby')).toContain(alert.id);
});

test.each([
  ['no name', '', 'x', 'Enter your username.'],
  ['no password', 'ada', '', 'Enter your password.'],
])('with %s nothing is sent', async (_name, name, secret, message) => {
  render(<LoginPage />);
  await submit(name, secret);
  expect(screen.getByText(message)).toBeTruthy();
  expect(fetched).not.toHaveBeenCalled();
});

test('caps lock is noticed', async () => {
  render(<LoginPage />);
  const user = userEvent.setup();
  await user.click(password());
  await user.keyboard('{CapsLock}a');
  expect(screen.getByText('Caps Lock is on.')).toBeTruthy();
  await user.keyboard('{CapsLock}a');
  expect(screen.queryByText('Caps Lock is on.')).toBeNull();
});

test('the password can be shown', async () => {
  render(<LoginPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password().getAttribute('type')).toBe('text');
});
