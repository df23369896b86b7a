import type { Product } from './product.ts';

/** Sends a request to the API without the browser. */
export function fetchApi(
  product: Product,
  path: string,
  token: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { ...init.headers, 'X-Auth': token };
  return fetch(`${product.url}${path}`, { ...init, headers });
}

/** The properties of a new user; permissions that are not named are denied. */
export interface NewUser {
  username: string;
  password: string;
  scope?: string;
  rules?: readonly { allow: boolean; regex: boolean; path: string; regexp: { raw: string } }[];
  perm?: Partial<
    Record<'admin' | 'create' | 'rename' | 'modify' | 'delete' | 'share' | 'download' | 'purge', boolean>
  >;
}

/** The permissions of a user who may do everything with files and administers nothing. */
export const ordinaryPermissions = {
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
  purge: true,
};

/** Creates a user as the administrator to whom `token` belongs. */
export async function createUser(product: Product, token: string, user: NewUser): Promise<void> {
  const response = await fetchApi(product, '/api/users', token, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ what: 'user', which: [], current_password: product.password, data: user }),
  });
  if (response.status !== 201) throw new Error(`The user was not created: ${await response.text()}`);
}

/** Makes the page of the administrator open the destination after a copy or move, which is off by default. */
export async function redirectAfterTransfers(product: Product, token: string): Promise<void> {
  const response = await fetchApi(product, '/api/users/1', token, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      what: 'user',
      which: ['redirectAfterCopyMove'],
      data: { id: 1, redirectAfterCopyMove: true },
    }),
  });
  if (response.status !== 200) throw new Error(`The user was not changed: ${await response.text()}`);
}

/** Allows the administrator to run `commands` in the shell. */
export async function allowCommands(
  product: Product,
  token: string,
  commands: readonly string[],
): Promise<void> {
  const response = await fetchApi(product, '/api/users/1', token, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      what: 'user',
      which: ['commands'],
      current_password: product.password,
      data: { id: 1, commands },
    }),
  });
  if (response.status !== 200) throw new Error(`The commands were not allowed: ${await response.text()}`);
}

/** Enables sign-up, with home folders unless `settings` overrides that. */
export async function allowSignup(
  product: Product,
  token: string,
  settings: object = { createUserDir: true },
): Promise<void> {
  const current: unknown = await (await fetchApi(product, '/api/settings', token)).json();
  const response = await fetchApi(product, '/api/settings', token, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...(current as object), signup: true, ...settings }),
  });
  if (response.status !== 200) throw new Error(`Sign-up was not enabled: ${await response.text()}`);
}
