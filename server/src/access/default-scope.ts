import { type Settings, canonicalScope, isDefaultScopeConfirmed } from '@filestead/contract/settings';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { UserRepository } from '../database/database.ts';
import type { SignInMethod } from '../config/auth-method.ts';

/**
 * Grants the default scope, once confirmed, to all accounts that wait for it, and creates its folder. Returns
 * the ids of these accounts.
 */
export async function grantConfirmedScope(
  settings: Pick<Settings, 'confirmedDefaultScope' | 'defaults'>,
  parts: {
    users: UserRepository;
    /** Creates the folder of the scope if it does not exist. */
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

/** Whether accounts can be created without an administrator. */
const createsAccounts = ({ method, createUsers }: SignInMethod, { signup }: Settings): boolean =>
  (method === 'json' && signup) || (method === 'proxy' && createUsers) || method === 'hook';

/**
 * Logs a warning that says which files new accounts can see when no administrator creates them: none, or the
 * confirmed default scope.
 */
export function warnOfDefaultScope(method: SignInMethod, settings: Settings, log: FastifyBaseLogger): void {
  if (settings.createUserDir || !createsAccounts(method, settings)) return;
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
