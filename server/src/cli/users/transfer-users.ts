import type { Database } from '../../database/database.ts';
import { foldUsername } from '../../usernames/fold-username.ts';
import { backupPath } from '../backup-path.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { type OpenData, assertDatabase, withChanges, withData } from '../open-data.ts';
import { readRecordFile, writePrivateFile, writeRecordFile } from '../records/record-file.ts';
import { type ParsedUser, parseUserRecord, userRecordOf } from './user-record.ts';

/** `users export`: writes all users with their password hashes. */
export async function exportUsers(call: CommandCall): Promise<void> {
  const { words, terminal } = call;
  const [path = ''] = words;
  const config = await configOf(call);
  assertDatabase(config);
  const users = await withData(config, ({ database }) => database.users.list());
  await writeRecordFile(terminal, path, users.map(userRecordOf));
  terminal.print(
    `${countOf(users.length, 'user')} exported to ${path}. The file contains password hashes: keep it secret.`,
  );
}

async function parseUsers(records: unknown): Promise<ParsedUser[]> {
  if (!Array.isArray(records)) throw new CliError('expected a list of users');
  const parsed: ParsedUser[] = [];
  const indexes = new Map<string, number>();
  const ids = new Map<number, number>();
  for (const [index, record] of records.entries()) {
    const path = `users[${index}]`;
    const found = await parseUserRecord(record, path);
    const name = foldUsername(found.user.username);
    const otherIndex = indexes.get(name);
    if (otherIndex !== undefined)
      throw new CliError(`${path}.username: is also the name of users[${otherIndex}]`);
    if (found.id !== 0 && ids.has(found.id)) throw new CliError(`${path}.id: occurs twice`);
    indexes.set(name, index);
    ids.set(found.id, index);
    parsed.push(found);
  }
  return parsed;
}

/** Throws {@link CliError} if no administrator would remain. */
async function assertAdministratorRemains({ users }: Database): Promise<void> {
  if ((await users.list()).some(({ perm }) => perm.admin)) return;
  throw new CliError('no administrator would be left');
}

async function replaceUsers({ database, config }: OpenData, parsed: readonly ParsedUser[]): Promise<string> {
  const former = await database.users.list();
  const backup = backupPath(config, 'users', 'json');
  writePrivateFile(backup, `${JSON.stringify(former.map(userRecordOf), null, 4)}\n`);
  await database.users.removeAll();
  for (const { user } of parsed) await database.users.create(user);
  return backup;
}

async function mergeUsers(
  { database }: OpenData,
  parsed: readonly ParsedUser[],
  overwrites: boolean,
): Promise<void> {
  const { users, sessions } = database;
  const former = new Map((await users.list()).map((user) => [user.id, user]));
  // Overwritten users come first, because they may free a name.
  for (const { id, user } of parsed.filter((candidate) => former.has(candidate.id))) {
    if (!overwrites) {
      throw new CliError(
        `the id ${id} (${user.username}) exists already; --overwrite puts the file's user in its place`,
      );
    }
    await users.update(id, user);
    await sessions.removeOfUser(id);
  }
  for (const { user } of parsed.filter(({ id }) => !former.has(id))) await users.create(user);
}

/**
 * `users import`: existing ids require `--overwrite`; other users get new ids. `--replace` replaces all users
 * by those of the file and saves them first.
 */
export async function importUsers(call: CommandCall): Promise<void> {
  const { words, options, terminal } = call;
  const [path = ''] = words;
  const config = await configOf(call);
  assertDatabase(config);
  const records = await readRecordFile(terminal, path);
  const { count, backup } = await withChanges(
    config,
    async (data) => {
      const parsed = await parseUsers(records);
      const isReplaced = options.isOn('replace') ?? false;
      const saved = isReplaced ? await replaceUsers(data, parsed) : null;
      if (!isReplaced) await mergeUsers(data, parsed, options.isOn('overwrite') ?? false);
      await assertAdministratorRemains(data.database);
      return { count: parsed.length, backup: saved };
    },
    { allowsMissingUsers: true },
  );
  if (backup !== null) terminal.print(`The previous users were saved to ${backup}.`);
  terminal.print(`${countOf(count, 'user was', 'users were')} imported.`);
}
