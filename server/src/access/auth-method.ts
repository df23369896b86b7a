import * as z from 'zod/mini';

/** How people sign in (existing API §4). Only `POST /api/login` differs; every other request needs the token. */
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
