import type { CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { assertDatabase, withChanges } from '../open-data.ts';

/**
 * `keys rotate`: replaces all keys and, without `--keepSessions`, ends all sessions. A running server applies both
 * at its next request. Throws if there is no database.
 */
export async function rotateKeys(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  const keepsSessions = call.options.isOn('keepSessions') ?? false;
  const { keys, sessions } = await withChanges(
    config,
    async ({ database }) => ({
      keys: await database.settings.replaceSecrets(),
      sessions: keepsSessions ? null : await database.sessions.removeAll(),
    }),
    { allowsMissingUsers: true },
  );
  const { print } = call.terminal;
  print(
    keys === 0
      ? 'There are no keys yet; the first start creates them.'
      : `${countOf(keys, 'key was', 'keys were')} replaced.`,
  );
  print(
    sessions === null
      ? 'Users stay signed in.'
      : `${countOf(sessions, 'session has', 'sessions have')} ended: all users have to sign in again.`,
  );
  print(
    'Links remain valid; visitors of links with a password have to enter it again. A running server needs no restart.',
  );
}
