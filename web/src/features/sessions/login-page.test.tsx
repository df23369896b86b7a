import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { problemResponse } from '../../api/test-responses.ts';
import { currentToken, storeToken } from '../../api/token-store.ts';
import { LoginPage } from './login-page.tsx';
import { ada, tokenOf } from './test-token.ts';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  storeToken(null);
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

test('labels the fields for password managers and focuses the first one', () => {
  render(<LoginPage />);
  expect(document.activeElement).toBe(username());
  expect(username().getAttribute('autocomplete')).toBe('username');
  expect(password().getAttribute('autocomplete')).toBe('current-password');
});

test('signs in with the right password', async () => {
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
  ['a wrong password', problemResponse(403, 'wrong_credentials'), 'Wrong credentials'],
  [
    'too many attempts',
    problemResponse(429, 'too_many_requests', { 'Retry-After': '30' }),
    /^Too many attempts. Try again in 30 secs?.$/u,
  ],
  ['a broken server', problemResponse(500, 'internal_error'), 'Something really went wrong.'],
  ['no connection', new TypeError('Failed to fetch'), "The server can't be reached."],
])('shows %s below the password field and returns the focus to it', async (_name, result, message) => {
  if (result instanceof Error) fetched.mockRejectedValueOnce(result);
  else fetched.mockResolvedValueOnce(result);
  render(<LoginPage />);
  await submit('ada', 'guess');
  const alert = await screen.findByText(message);
  expect(document.activeElement).toBe(password());
  expect(password().getAttribute('aria-invalid')).toBe('true');
  expect(password().getAttribute('aria-describedby')).toContain(
    alert.closest('[role="alert"]')?.id ?? 'no alert',
  );
});

test.each([
  ['no name', '', 'x', 'Enter your username.'],
  ['no password', 'ada', '', 'Enter your password.'],
])('sends nothing with %s', async (_name, name, secret, message) => {
  render(<LoginPage />);
  await submit(name, secret);
  expect(screen.getByText(message)).toBeTruthy();
  expect(fetched).not.toHaveBeenCalled();
});

test('reports that Caps Lock is on', async () => {
  render(<LoginPage />);
  const user = userEvent.setup();
  await user.click(password());
  await user.keyboard('{CapsLock}a');
  expect(screen.getByText('Caps Lock is on.')).toBeTruthy();
  await user.keyboard('{CapsLock}a');
  expect(screen.queryByText('Caps Lock is on.')).toBeNull();
});

test('still reports Caps Lock after a wrong password', async () => {
  render(<LoginPage />);
  const user = userEvent.setup();
  await user.type(username(), 'ada');
  await user.click(password());
  await user.keyboard('{CapsLock}');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(screen.getByText('Enter your password.', { exact: false }).textContent).toContain(
    'Caps Lock is on.',
  );
});

test('can show the password', async () => {
  render(<LoginPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password().getAttribute('type')).toBe('text');
});

const rendered: { callback: (response: string) => void; sitekey: string }[] = [];
const resets = vi.fn<(widget: number) => void>();

/** The global object that a captcha service defines. */
const captchaService = {
  render: (_place: HTMLElement, options: (typeof rendered)[number]) => rendered.push(options),
  reset: resets,
};

describe('with sign-up enabled', () => {
  beforeEach(() => {
    pageConfig.Signup = true;
    return () => {
      pageConfig.Signup = false;
    };
  });
  const confirmation = () => screen.getByLabelText('Password confirmation');
  const fill = async (name: string, secret: string, again: string): Promise<void> => {
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }));
    await userEvent.type(username(), name);
    await userEvent.type(password(), secret);
    await userEvent.type(confirmation(), again);
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }));
  };

  test('creates an account and signs in with it', async () => {
    fetched.mockResolvedValueOnce(new Response('200 OK\n')).mockResolvedValueOnce(new Response(tokenOf(ada)));
    render(<LoginPage />);
    expect(screen.queryByLabelText('Password confirmation')).toBeNull();
    await fill('ada', 'a long secret', 'a long secret');
    await vi.waitFor(() => expect(currentToken()).toBe(tokenOf(ada)));
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/api/signup', '/api/login']);
    expect(confirmation().getAttribute('autocomplete')).toBe('new-password');
    expect(password().getAttribute('autocomplete')).toBe('new-password');
  });

  test('does not send two different passwords', async () => {
    render(<LoginPage />);
    await fill('ada', 'a long secret', 'another secret');
    expect(screen.getByText("Passwords don't match")).toBeTruthy();
    expect(document.activeElement).toBe(confirmation());
    expect(fetched).not.toHaveBeenCalled();
  });

  test.each([
    ['a taken name', problemResponse(409, 'username_taken'), 'Username already taken', username],
    [
      'a short password',
      Response.json(
        { code: 'weak_password', detail: 'the password is too short, minimum length is 12' },
        { status: 400 },
      ),
      'The password needs at least 12 characters.',
      password,
    ],
    [
      'a common password',
      problemResponse(400, 'weak_password'),
      'This password is too easy to guess. Choose another one.',
      password,
    ],
  ])('shows %s at the field that caused it', async (_name, response, message, field) => {
    fetched.mockResolvedValueOnce(response);
    render(<LoginPage />);
    await fill('ada', 'a secret', 'a secret');
    expect(await screen.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field());
  });

  test('keeps a created account if signing in fails afterwards', async () => {
    fetched
      .mockResolvedValueOnce(new Response('200 OK\n'))
      .mockResolvedValueOnce(problemResponse(429, 'too_many_requests'));
    render(<LoginPage />);
    await fill('ada', 'a long secret', 'a long secret');
    expect(await screen.findByText('Too many attempts. Wait a little, then try again.')).toBeTruthy();
    expect(screen.queryByLabelText('Password confirmation')).toBeNull();
    expect(screen.getByRole('button', { name: 'Login' })).toHaveProperty('type', 'submit');
  });
});

test('does not offer to sign up if that is disabled', () => {
  render(<LoginPage />);
  expect(screen.queryByRole('button', { name: 'Sign up' })).toBeNull();
});

test.each([
  ['inactivity', 'You were away for a while, so you have been signed out.'],
  ['ended', 'Your session has ended. Sign in again to continue.'],
] as const)('shows the reason %s', (reason, text) => {
  render(<LoginPage reason={reason} />);
  expect(screen.getByText(text)).toBeTruthy();
});

describe('with a captcha', () => {
  beforeEach(() => {
    Object.assign(pageConfig, { ReCaptcha: true, ReCaptchaKey: 'site', ReCaptchaScript: '/captcha.js' });
    vi.stubGlobal('grecaptcha', captchaService);
    rendered.length = 0;
    resets.mockReset();
    // jsdom does not load scripts.
    vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
      for (const node of nodes) if (node instanceof HTMLElement) node.dispatchEvent(new Event('load'));
    });
    return () => {
      pageConfig.ReCaptcha = false;
      vi.restoreAllMocks();
    };
  });

  test('sends nothing without a captcha response, includes it otherwise, and requests a new one after a refusal', async () => {
    render(<LoginPage />);
    await vi.waitFor(() => expect(rendered).toMatchObject([{ sitekey: 'site' }]));
    await submit('ada', 'secret');
    expect(screen.getByText('Wrong credentials')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
    act(() => rendered[0]?.callback('solved'));
    fetched.mockResolvedValueOnce(problemResponse(403, 'captcha_failed'));
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText('The check failed. Try again.')).toBeTruthy();
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1]?.body))).toMatchObject({ recaptcha: 'solved' });
    expect(resets).toHaveBeenCalledOnce();
  });
});
