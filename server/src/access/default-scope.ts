import { type Settings, canonicalScope, isDefaultScopeConfirmed } from '@filestead/contract/settings';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { UserRepository } from '../database/database.ts';
import type { SignInMethod } from '../config/auth-method.ts';

/**
 * Once the default scope is confirmed, gives it to all accounts that wait for it and makes its folder. Returns the ids of
 * these accounts.
 */
export async function grantConfirmedScope(
  settings: Pick<Settings, 'confirmedDefaultScope' | 'defaults'>,
  parts: {
    users: UserRepository;
    /** Makes the folder of the scope unless it exists. */
    createFolder: (path: VirtualPath) => Promise<void>;
  },
): Promise<number[]> {
  const scope = canonicalScope(settings.defaults.scope);
  if (scope === null || !isDefaultScopeConfirmed(settings)) return [];
  const waiting = (await parts.users.list()).filter(({ awaitsScope }) => awaitsScope);
  if (waiting.length > 0 && scope !== '/') await parts.createFolder(scope);
  for (const { id } of waiting) await parts.users.update(id, { scope, awaitsScope: false });
  return waiting.map(({ id }) => id);
}

/** Whether accounts can come into being without an administrator. */
const makesAccounts = ({ method, createUsers }: SignInMethod, { signup }: Settings): boolean =>
  (method === 'json' && signup) || (method === 'proxy' && createUsers) || method === 'hook';

/** Warns in the log of what accounts that no administrator makes will see: nothing, or the confirmed default scope. */
export function warnOfDefaultScope(method: SignInMethod, settings: Settings, log: FastifyBaseLogger): void {
  if (settings.createUserDir || !makesAccounts(method, settings)) return;
  const scope = canonicalScope(settings.defaults.scope);
  if (isDefaultScopeConfirmed(settings)) {
    log.warn({ scope }, 'new accounts without a home folder see the confirmed default scope');
  } else {
    log.warn(
      { scope },
      'new accounts without a home folder see nothing until an administrator confirms the default scope',
    );
  }
}
