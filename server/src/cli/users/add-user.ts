import { createUser } from '../../users/create-user.ts';
import { noPermissions } from '@filestead/contract/values/permissions';
import type { CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, withData } from '../open-data.ts';
import { readSecret } from '../read-secret.ts';
import { withServedFolders } from './served-folders.ts';
import { profileChange } from './user-options.ts';
import { userTable } from './user-table.ts';

/** `users add`: creates a user. Missing options get the defaults for new users, without administration. */
export async function addUser(call: CommandCall): Promise<void> {
  const { words, options, terminal } = call;
  const [username = '', givenPassword] = words;
  const config = await configOf(call);
  assertDatabase(config);
  const password = givenPassword ?? (await readSecret(terminal));
  const { user, hasAdministrator } = await withData(
    config,
    async (data) => {
      const { users } = data.database;
      const {
        defaults: { scope: usualScope, ...defaults },
        createUserDir,
      } = data.settings.current;
      const base = { ...defaults, perm: { ...noPermissions, ...defaults.perm, admin: false } };
      const change = profileChange(options, base);
      const scope = change.scope ?? (createUserDir ? '' : usualScope);
      const created = await withServedFolders(data, (folders) =>
        createUser(
          { users, settings: data.settings, ...folders },
          { ...base, ...change, scope, username, password },
        ),
      );
      return { user: created, hasAdministrator: (await users.list()).some(({ perm }) => perm.admin) };
    },
    { allowsMissingUsers: true },
  );
  terminal.print(userTable([user]));
  if (!hasAdministrator) {
    terminal.warn('No user is an administrator yet: filestead users update <name> --perm.admin');
  }
}
