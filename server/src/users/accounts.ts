import { randomBytes } from 'node:crypto';
import { type Permissions, permissionNames } from '@filestead/contract/values/permissions';
import { preferencesOf } from '@filestead/contract/user-fields';
import { isDefaultScopeConfirmed } from '@filestead/contract/settings';
import type { AccountFields, Accounts } from '../access/accounts.ts';
import { withoutUnusableShare } from '../access/normalize-permissions.ts';
import { hashPassword } from '../access/sign-in/passwords.ts';
import type { NewUser } from '../database/database.ts';
import { assertValidUsername } from './assert-username.ts';
import { normalizeScope } from './home-folder.ts';
import { homeFor, storeNewUser } from './store-new-user.ts';
import type { UserDependencies } from './dependencies.ts';

/** Permissions that only an administrator or a sign-in program can grant. */
const neverByDefault: Partial<Permissions> = { admin: false, execute: false };

/**
 * Combines permissions. Administrators have all of them (docs/reference/filebrowser-api.md §4); `share`
 * requires `download`.
 */
function permissionsOf(base: Permissions, change: Partial<Permissions> = {}): Permissions {
  const changed = { ...base, ...change };
  for (const name of permissionNames) if (changed.admin) changed[name] = true;
  return withoutUnusableShare(changed);
}

/** The properties of a user that {@link AccountFields} can change. */
type Overlaid = Omit<NewUser, 'username' | 'passwordHash' | 'scope' | 'lockPassword' | 'rules'>;

/** Applies `fields` to the current or default values of a user. */
function overlay(base: Overlaid, fields: AccountFields): Overlaid {
  const { scope: _scope, perm, sorting, commands, ...display } = fields;
  return {
    ...base,
    ...display,
    perm: permissionsOf(base.perm, perm),
    sorting: { ...base.sorting, ...sorting },
    commands: [...(commands ?? base.commands)],
  };
}

/** A random password of 256 bits that no user knows. */
const unknownPassword = (): string => randomBytes(32).toString('base64url');

/** Opens the accounts that sign-up, proxies and sign-in programs create. */
export function openAccounts(parts: UserDependencies): Accounts {
  const { settings, users, userContexts } = parts;
  return {
    async create({ username, password, lockPassword, fields }) {
      assertValidUsername(username);
      const { scope, ...defaults } = settings.current.defaults;
      const base = { ...defaults, perm: { ...defaults.perm, ...neverByDefault }, commands: [] };
      const requestedScope = fields.scope ?? (settings.current.createUserDir ? '' : scope);
      const home = homeFor(parts, username, requestedScope);
      const hasOwnScope = home.isDerived || fields.scope !== undefined;
      const user = {
        ...overlay(base, fields),
        username,
        lockPassword,
        rules: [],
        passwordHash: await hashPassword(password ?? unknownPassword()),
        awaitsScope: !hasOwnScope && !isDefaultScopeConfirmed(settings.current),
      };
      return storeNewUser(parts, user, home, true);
    },
    async update(user, { password, lockPassword, fields }) {
      const passwordHash = password === null ? user.passwordHash : await hashPassword(password);
      const scope = fields.scope === undefined ? user.scope : normalizeScope(fields.scope);
      if (scope !== user.scope && scope !== '/') await parts.createFolder(normalizeScope(scope));
      const { perm, commands } = user;
      const updated = await users.update(user.id, {
        ...overlay({ ...preferencesOf(user), perm, commands }, fields),
        scope,
        awaitsScope: user.awaitsScope && fields.scope === undefined,
        lockPassword,
        passwordHash,
      });
      userContexts.forget(user.id);
      return updated;
    },
  };
}
