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

/** Sends a JSON body to the API without the browser. Throws with the response unless its status is 2xx. */
export async function sendJson(
  product: Product,
  method: 'POST' | 'PUT',
  path: string,
  token: string,
  body: unknown,
): Promise<Response> {
  const response = await fetchApi(product, path, token, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
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
  await sendJson(product, 'POST', '/api/users', token, {
    what: 'user',
    which: [],
    current_password: product.password,
    data: user,
  });
}

/** Changes fields of the administrator, to whom `token` belongs. */
export async function changeAdministrator(
  product: Product,
  token: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sendJson(product, 'PUT', '/api/users/1', token, {
    what: 'user',
    which: Object.keys(fields),
    current_password: product.password,
    data: { id: 1, ...fields },
  });
}

/** Makes the page of the administrator open the destination after a copy or move, which is off by default. */
export const redirectAfterTransfers = (product: Product, token: string): Promise<void> =>
  changeAdministrator(product, token, { redirectAfterCopyMove: true });

/** Allows the administrator to run `commands` in the shell. */
export const allowCommands = (product: Product, token: string, commands: readonly string[]): Promise<void> =>
  changeAdministrator(product, token, { commands });

/** Changes some of the settings of the server, as the administrator to whom `token` belongs. */
export async function changeSettings(product: Product, token: string, changes: object): Promise<void> {
  const settings = (await (await fetchApi(product, '/api/settings', token)).json()) as object;
  await sendJson(product, 'PUT', '/api/settings', token, { ...settings, ...changes });
}

/** Enables sign-up, with home folders unless `settings` overrides that. */
export const allowSignup = (
  product: Product,
  token: string,
  settings: object = { createUserDir: true },
): Promise<void> => changeSettings(product, token, { signup: true, ...settings });

/** The expiry and the password of a new share; by default it has neither. */
export interface ShareOptions {
  password?: string;
  expires?: string;
  unit?: 'hours' | 'days';
}

/** Shares an entry as the user to whom `token` belongs. Returns the hash of the share. */
export async function createShare(
  product: Product,
  token: string,
  path: string,
  options: ShareOptions = {},
): Promise<string> {
  const response = await sendJson(product, 'POST', `/api/share${path}`, token, options);
  return ((await response.json()) as { hash: string }).hash;
}
