import type { UserChange } from '@filestead/contract/users';
import { dropInitialPassword } from '../../start/initial-password.ts';
import { changeUser } from '../../users/update-user.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, withData } from '../open-data.ts';
import { readSecret } from '../read-secret.ts';
import { findUser } from './find-user.ts';
import { profileChange } from './user-options.ts';
import { userTable } from './user-table.ts';

/** Returns the given name and password; `--password` without a value prompts for it. */
async function credentialsOf({ options, terminal }: CommandCall): Promise<UserChange> {
  const change: UserChange = {};
  const username = options.text('username');
  if (username !== undefined) change.username = username;
  const password = options.text('password');
  if (password !== undefined) change.password = password === '' ? await readSecret(terminal) : password;
  return change;
}

/** `users update`: changes the given fields only. A new password ends the user's sessions. */
export async function updateUser(call: CommandCall): Promise<void> {
  const { words, options, terminal } = call;
  const config = await configOf(call);
  assertDatabase(config);
  const credentials = await credentialsOf(call);
  const user = await withData(config, async ({ database, settings }) => {
    const found = await findUser(database.users, words[0] ?? '');
    const data = { ...profileChange(options, found), ...credentials };
    const which = Object.keys(data);
    if (which.length === 0)
      throw new CliError('nothing to change was given; see: filestead help users update');
    return changeUser(
      {
        users: database.users,
        settings,
        userContexts: { forget: () => undefined },
        endSessions: (id) => database.sessions.removeOfUser(id),
        onPasswordReplaced: (formerHash) => dropInitialPassword(config.data, formerHash),
      },
      found.id,
      { which, data: { ...data, id: found.id } },
    );
  });
  terminal.print(userTable([user]));
}
