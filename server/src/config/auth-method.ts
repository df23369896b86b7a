import * as z from 'zod/mini';
import { ConfigError } from './options.ts';
import { checkCaptchaHost } from './captcha-service.ts';

/** How people sign in (docs/reference/filebrowser-api.md §4). Only `POST /api/login` differs; every other request needs the token. */
export const authMethods = ['json', 'proxy', 'hook', 'noauth'] as const;
export type AuthMethodName = (typeof authMethods)[number];

const text = z.string().check(z.maxLength(4096));

/** A captcha service: where it is, what the page shows, and the secret that verifies its answers. */
export const Recaptcha = z.object({ host: text, key: text, secret: text });
export type Recaptcha = z.output<typeof Recaptcha>;

/** The way of signing in with its options, as it is stored. What a method does not use is kept for a later change. */
export const AuthMethod = z.object({
  method: z.enum(authMethods),
  /** `proxy`: the request header that names the user. */
  header: z.optional(text),
  /** `hook`: the program that decides, with its arguments, separated by single spaces. */
  command: z.optional(text),
  /** `json`: checked at sign-in and sign-up when key and secret are set. */
  recaptcha: z.optional(Recaptcha),
  /** `proxy`: whether an account is made for a name that has none. */
  createUsers: z.optional(z.boolean()),
  /** Where a browser goes after signing out; the sign-in page unless given. */
  logoutPage: z.optional(text),
});
export type AuthMethod = z.output<typeof AuthMethod>;

/** What signs people in unless somebody chose otherwise: name and password. */
export const defaultAuthMethod: AuthMethod = { method: 'json' };

/** What was given at the start of the server; it wins over what is stored. Empty texts switch an option off. */
export interface AuthOverrides {
  readonly method?: AuthMethodName;
  readonly header?: string;
  readonly command?: string;
  readonly createUsers?: boolean;
  readonly logoutPage?: string;
  readonly recaptcha: Partial<Recaptcha>;
}

/** The way of signing in that is in force, with everything that it needs. */
export interface SignInMethod {
  readonly method: AuthMethodName;
  /** In lower case; empty unless the method is `proxy`. */
  readonly header: string;
  /** The program and its arguments; empty unless the method is `hook`. */
  readonly command: readonly string[];
  readonly createUsers: boolean;
  readonly logoutPage: string;
  /** Null unless the method is `json` and a captcha is switched on. */
  readonly recaptcha: Recaptcha | null;
}

/** Where a captcha service is unless somebody chose another (docs/reference/filebrowser-api.md §4). */
const defaultCaptchaHost = 'https://www.google.com';

/** A header's name (RFC 9110 §5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

function recaptchaOf(stored: Recaptcha | undefined, given: Partial<Recaptcha>): Recaptcha | null {
  const { host, key, secret } = { host: '', key: '', secret: '', ...stored, ...given };
  if (key === '' || secret === '') return null;
  try {
    return { host: checkCaptchaHost(host === '' ? defaultCaptchaHost : host), key, secret };
  } catch (error) {
    throw new ConfigError(`recaptcha.host: ${error instanceof Error ? error.message : 'invalid'}`);
  }
}

/** Puts together what is stored and what was given. Throws {@link ConfigError} when a method lacks what it needs. */
export function signInMethodOf(stored: AuthMethod, given: AuthOverrides): SignInMethod {
  const method = given.method ?? stored.method;
  const header = (given.header ?? stored.header ?? '').toLowerCase();
  const command = (given.command ?? stored.command ?? '').split(' ').filter((word) => word !== '');
  const logoutPage = given.logoutPage ?? stored.logoutPage ?? '';
  if (method === 'proxy' && !headerName.test(header)) {
    throw new ConfigError('auth.header: signing in by proxy needs the name of a header');
  }
  if (method === 'hook' && command.length === 0) {
    throw new ConfigError('auth.command: signing in by a program needs the program');
  }
  if (logoutPage !== '' && !/^(?:https?:\/\/|\/(?!\/))[^\s\\]*$/i.test(logoutPage)) {
    throw new ConfigError('auth.logoutPage: expected a path or an address of the web');
  }
  return {
    method,
    header: method === 'proxy' ? header : '',
    command: method === 'hook' ? command : [],
    createUsers: given.createUsers ?? stored.createUsers ?? false,
    logoutPage,
    recaptcha: method === 'json' ? recaptchaOf(stored.recaptcha, given.recaptcha) : null,
  };
}

/** Whether people type a name and a password to sign in. */
export const hasLoginPage = ({ method }: Pick<SignInMethod, 'method'>): boolean =>
  method === 'json' || method === 'hook';
