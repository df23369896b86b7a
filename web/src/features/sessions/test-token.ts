import type { TokenUser } from '@filestead/contract/sessions';
import { initialPreferences } from '@filestead/contract/user-fields';
import { allPermissions } from '@filestead/contract/values/permissions';

const part = (value: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A user who is not an administrator. */
export const ada: TokenUser = {
  id: 7,
  perm: { ...allPermissions, admin: false, execute: false, share: false },
  commands: [],
  lockPassword: false,
  username: 'Ada Łovelace',
  ...initialPreferences,
};

const inAnHour = Date.now() + 3_600_000;

/** Creates an unsigned token as the server would. It expires in an hour by default. */
export function tokenOf(user: TokenUser, expiresAtMs = inAnHour): string {
  const payload = { user, iss: 'File Browser', iat: 0, exp: Math.floor(expiresAtMs / 1000), jti: 'x' };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.c2ln`;
}
