import * as z from 'zod/mini';
import { type AuthMethodName, authMethods } from './auth-method-names.ts';
import { ConfigError } from './config-error.ts';
import { checkCaptchaHost } from './captcha-service.ts';

const text = z.string().check(z.maxLength(4096));

/** A captcha service: its address, the public key, and the secret for verification. */
export const Recaptcha = z.object({ host: text, key: text, secret: text });
export type Recaptcha = z.output<typeof Recaptcha>;

/** The stored authentication method with its options. Options of other methods are kept. */
export const AuthMethod = z.object({
  method: z.enum(authMethods),
  /** `proxy`: the request header with the username. */
  header: z.optional(text),
  /** `hook`: the program with its arguments, separated by single spaces. */
  command: z.optional(text),
  /** `json`: verified at sign-in and sign-up if key and secret are set. */
  recaptcha: z.optional(Recaptcha),
  /** `proxy`: whether an account is created for an unknown name. */
  createUsers: z.optional(z.boolean()),
  /** The page shown after signing out; the sign-in page by default. */
  logoutPage: z.optional(text),
});
export type AuthMethod = z.output<typeof AuthMethod>;

/** The default authentication method: username and password. */
export const defaultAuthMethod: AuthMethod = { method: 'json' };

/** Options given when the server is started. They override the stored ones; empty texts disable an option. */
export interface AuthOverrides {
  readonly method?: AuthMethodName | undefined;
  readonly header?: string | undefined;
  readonly command?: string | undefined;
  readonly createUsers?: boolean | undefined;
  readonly logoutPage?: string | undefined;
  readonly recaptcha: { readonly [Key in keyof Recaptcha]?: Recaptcha[Key] | undefined };
}

/** The effective authentication method with all its options. */
export interface SignInMethod {
  readonly method: AuthMethodName;
  /** In lower case; empty unless the method is `proxy`. */
  readonly header: string;
  /** The program and its arguments; empty unless the method is `hook`. */
  readonly command: readonly string[];
  readonly createUsers: boolean;
  readonly logoutPage: string;
  /** Null unless the method is `json` and a captcha is enabled. */
  readonly recaptcha: Recaptcha | null;
}

/** Default captcha service (docs/reference/filebrowser-api.md §4). */
const defaultCaptchaHost = 'https://www.google.com';

/** A header's name (RFC 9110 §5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

function recaptchaOf(stored: Recaptcha | undefined, given: AuthOverrides['recaptcha']): Recaptcha | null {
  const host = given.host ?? stored?.host ?? '';
  const key = given.key ?? stored?.key ?? '';
  const secret = given.secret ?? stored?.secret ?? '';
  if (key === '' || secret === '') return null;
  try {
    return { host: checkCaptchaHost(host === '' ? defaultCaptchaHost : host), key, secret };
  } catch (error) {
    throw new ConfigError(`recaptcha.host: ${error instanceof Error ? error.message : 'invalid'}`);
  }
}

/**
 * Combines stored and given options. Throws {@link ConfigError} if an option that the method requires is
 * missing.
 */
export function signInMethodOf(stored: AuthMethod, given: AuthOverrides): SignInMethod {
  const method = given.method ?? stored.method;
  const header = (given.header ?? stored.header ?? '').toLowerCase();
  const command = (given.command ?? stored.command ?? '').split(' ').filter((word) => word !== '');
  const logoutPage = given.logoutPage ?? stored.logoutPage ?? '';
  if (method === 'proxy' && !headerName.test(header)) {
    throw new ConfigError('auth.header: the method proxy requires the name of a header');
  }
  if (method === 'hook' && command.length === 0) {
    throw new ConfigError('auth.command: the method hook requires a program');
  }
  if (logoutPage !== '' && !/^(?:https?:\/\/|\/(?!\/))[^\s\\]*$/i.test(logoutPage)) {
    throw new ConfigError('auth.logoutPage: expected a path or a web address');
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

/** Whether users sign in with a name and a password. */
export const hasLoginPage = ({ method }: Pick<SignInMethod, 'method'>): boolean =>
  method === 'json' || method === 'hook';
