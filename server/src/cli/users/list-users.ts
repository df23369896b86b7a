import type { CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, withData } from '../open-data.ts';
import { findUser } from './find-user.ts';
import { userTable } from './user-table.ts';

/** `users ls`: lists all users by id. */
export async function listUsers(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  call.terminal.print(userTable(await withData(config, ({ database }) => database.users.list())));
}

/** `users find`: shows one user. */
export async function showUser(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  const [idOrName = ''] = call.words;
  call.terminal.print(
    userTable([await withData(config, ({ database }) => findUser(database.users, idOrName))]),
  );
}

/** `users rm`: removes a user with their sessions and shares. Throws `last_administrator`. */
export async function removeUser(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  const [idOrName = ''] = call.words;
  const { username } = await withData(config, async ({ database }) => {
    const user = await findUser(database.users, idOrName);
    await database.users.remove(user.id);
    return user;
  });
  call.terminal.print(`${username} is removed. The files stay.`);
}
