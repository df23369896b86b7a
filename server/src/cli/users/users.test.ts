import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { verifyPassword } from '../../access/sign-in/passwords.ts';
import type { StoredUser } from '../../database/database.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
});
afterEach(() => cli.remove());

const good = 'a password for tests';
const users = (): Promise<StoredUser[]> => cli.inspect((database) => database.users.list());
const userNamed = async (name: string): Promise<StoredUser | undefined> =>
  (await users()).find(({ username }) => username === name);
const addAdministrator = (): Promise<string> => cli.succeed('users', 'add', 'admin', good, '--perm.admin');
const failing = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await cli.run(args);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^filestead: .+$/);
  return err;
};

test('an added user gets the defaults for new users, the given options, and a folder', async () => {
  await cli.succeed(
    'config',
    'set',
    '--locale=de',
    '--perm.delete=false',
    '--sorting.by=size',
    '--perm.admin',
  );
  const table = await cli.succeed(
    'users',
    'add',
    'alice',
    good,
    '--scope',
    'team/alice',
    '--perm.share=off',
    '--commands',
    'git,ls',
    '--commands=tar',
    '--lockPassword',
    '--sorting.asc',
    '--view-mode',
    'mosaic gallery',
    '--singleClick',
  );
  expect(table).toMatch(/^ID +Username +Scope .*Pwd Lock\n1 +alice +\/team\/alice +de +mosaic gallery +true/);
  const alice = await userNamed('alice');
  expect(alice).toMatchObject({
    scope: '/team/alice',
    locale: 'de',
    viewMode: 'mosaic gallery',
    singleClick: true,
    lockPassword: true,
    commands: ['git', 'ls', 'tar'],
    sorting: { by: 'size', asc: true },
    // Administrators are only created explicitly.
    perm: { admin: false, create: true, delete: false, share: false },
  });
  expect(await verifyPassword(alice?.passwordHash ?? null, good)).toBe(true);
  expect((await stat(join(cli.folder, 'team', 'alice'))).isDirectory()).toBe(true);
});

test('a user without a scope gets a home folder if these are enabled, and the default scope otherwise', async () => {
  await cli.succeed('config', 'set', '--scope', '/shared');
  await cli.succeed('users', 'add', 'one', good);
  await cli.succeed('config', 'set', '--createUserDir');
  await cli.succeed('users', 'add', 'two', good);
  expect((await users()).map(({ scope }) => scope)).toEqual(['/shared', '/users/two']);
});

test('passwords can also be passed on the standard input or in the environment', async () => {
  const fromInput = await cli.run(['users', 'add', 'one'], { stdin: `${good} 1\nmore` });
  expect(fromInput.status).toBe(0);
  const env = { FILESTEAD_NEW_PASSWORD: `${good} 2` };
  expect((await cli.run(['users', 'add', 'two'], { env, stdin: 'not this one' })).status).toBe(0);
  expect((await cli.run(['users', 'update', 'one', '-p'], { stdin: `${good} 3` })).status).toBe(0);
  for (const [name, password] of [
    ['one', `${good} 3`],
    ['two', `${good} 2`],
  ] as const) {
    expect(await verifyPassword((await userNamed(name))?.passwordHash ?? null, password)).toBe(true);
  }
  expect(await failing('users', 'add', 'three')).toContain('no password was given');
});

test('users update changes only the given fields', async () => {
  await cli.succeed(
    'users',
    'add',
    'alice',
    good,
    '--lockPassword',
    '--perm.share=false',
    '--commands=git',
    '--locale=fr',
  );
  const before = await userNamed('alice');
  await cli.succeed('users', 'update', 'alice', '--perm.admin', '--sorting.asc');
  const after = await userNamed('alice');
  expect(after).toEqual({
    ...before,
    perm: { ...before?.perm, admin: true },
    sorting: { by: 'name', asc: true },
    changedAt: after?.changedAt,
  });
  await cli.succeed('users', 'update', '1', '--username', 'alicia', '--lockPassword=false', '--perm.share');
  expect(await userNamed('alicia')).toMatchObject({
    lockPassword: false,
    perm: { admin: true, share: true },
  });
  expect(await verifyPassword((await userNamed('alicia'))?.passwordHash ?? null, good)).toBe(true);
});

test('every check of the API applies to commands, reports one line and changes nothing', async () => {
  await addAdministrator();
  await cli.succeed('users', 'add', 'bob', good);
  const before = await users();
  expect(await failing('users', 'add', 'short', 'short')).toContain('too short');
  expect(await failing('users', 'add', 'easy', 'password123')).toContain('too easy');
  expect(await failing('users', 'add', 'BOB', good)).toContain('the name belongs to another user');
  expect(await failing('users', 'add', ' bob', good)).toContain('starts or ends with a space');
  expect(await failing('users', 'add', 'x', good, '--scope', '../..')).toContain('parent segment');
  expect(await failing('users', 'add', 'x', good, '--locale', 'xx')).toContain('--locale: unknown locale');
  expect(await failing('users', 'add', 'x', good, '--viewMode', 'tiles')).toContain('--viewMode');
  expect(await failing('users', 'add', 'x', good, '--perm.admin=maybe')).toContain(
    '--perm.admin: expected on or off',
  );
  expect(await failing('users', 'add', 'x', good, '--sorting.by', 'color')).toContain('--sorting.by');
  expect(await failing('users', 'update', 'admin', '--perm.admin=false')).toContain(
    'at least one administrator',
  );
  expect(await failing('users', 'update', 'bob', '--username', 'Admin')).toContain('belongs to another user');
  expect(await failing('users', 'update', 'bob', '--password', 'bob')).toContain('too short');
  expect(await failing('users', 'update', 'bob')).toContain('nothing to change');
  expect(await failing('users', 'update', 'carol', '--locale=de')).toContain('no user “carol”');
  expect(await failing('users', 'update', '99', '--locale=de')).toContain('no user with the id “99”');
  expect(await failing('users', 'rm', 'admin')).toContain('at least one administrator must remain');
  expect(await failing('users', 'find', 'carol')).toContain('no user “carol”');
  expect(await failing('users', 'add')).toContain("missing required argument 'name'");
  expect(await failing('users', 'ls', 'more')).toContain('too many arguments');
  expect(await failing('users', 'ls', '--nonsense')).toContain("unknown option '--nonsense'");
  expect(await users()).toEqual(before);
  expect(await readdir(cli.folder)).toEqual(['.filestead']);
});

test('a folder that cannot be created leaves no user', async () => {
  await writeFile(join(cli.folder, 'taken'), 'a file');
  expect(await failing('users', 'add', 'x', good, '--scope', '/taken/x')).toBeTruthy();
  expect(await users()).toEqual([]);
});

test('commands report a missing database and create none', async () => {
  for (const args of [
    ['users', 'ls'],
    ['users', 'add', 'x', good],
    ['config', 'set', '--signup'],
    ['rules', 'ls'],
    ['cmds', 'ls'],
    ['users', 'export', 'users.json'],
  ]) {
    expect(await failing(...args, '--data', 'elsewhere')).toContain('there is no database at');
  }
  expect(existsSync(join(cli.folder, 'elsewhere'))).toBe(false);
});

test('the served folder must be given if the data is elsewhere and folders have to be created', async () => {
  const data = join(cli.folder, '..', 'data');
  await cli.succeed('config', 'init', '--data', data);
  expect(await failing('users', 'add', 'x', good, '--scope', '/x', '--data', data)).toContain('--root');
  const root = join(cli.folder, '..', 'served');
  await mkdir(root);
  await cli.succeed('users', 'add', 'x', good, '--scope', '/x', '--data', data, '--root', root);
  await cli.succeed('config', 'set', '--data', data, '--root', root);
  await cli.succeed('users', 'add', 'y', good, '--scope', '/y', '--data', data);
  expect(await readdir(root)).toEqual(['x', 'y']);
});

test('users ls, find and rm show and remove users', async () => {
  await addAdministrator();
  await cli.succeed('users', 'add', 'bob', good);
  expect((await cli.succeed('users', 'ls')).split('\n')).toHaveLength(3);
  expect((await cli.succeed('users', 'find', '2')).split('\n')[1]).toMatch(/^2 +bob/);
  expect((await cli.succeed('users', 'find', 'BOB')).split('\n')[1]).toMatch(/^2 +bob/);
  expect(await cli.succeed('users', 'rm', 'bob')).toContain('bob is removed');
  expect((await users()).map(({ username }) => username)).toEqual(['admin']);
});

test('an export reports the number of its users', async () => {
  await addAdministrator();
  expect(await cli.succeed('users', 'export', 'one.json')).toBe(
    '1 user exported to one.json. The file contains password hashes: keep it secret.',
  );
  await cli.succeed('users', 'add', 'bob', good);
  expect(await cli.succeed('users', 'export', 'two.json')).toBe(
    '2 users exported to two.json. The file contains password hashes: keep it secret.',
  );
});

test.each(['json', 'yaml', 'yml'])('an export to %s can be imported with the same users', async (ending) => {
  await addAdministrator();
  await cli.succeed(
    'users',
    'add',
    'bob',
    good,
    '--scope=/bob',
    '--hideDotfiles',
    '--aceEditorTheme=dawn',
    '--locale=he',
  );
  await cli.succeed('rules', 'add', '-r', '\\.key$', '-u', 'bob');
  await cli.succeed('rules', 'add', '-a', '/public', '-u', 'bob');
  const before = await users();
  const file = `users.${ending}`;
  await cli.succeed('users', 'export', file);
  expect((await stat(join(cli.folder, file))).mode & 0o777).toBe(0o600);
  if (ending !== 'json')
    expect(await readFile(join(cli.folder, file), 'utf8')).toContain('hidedotfiles: true');
  expect(await failing('users', 'import', file)).toContain('--overwrite');
  await cli.succeed('users', 'update', 'bob', '--username=robert', '--locale=de');
  await cli.succeed('users', 'import', file, '--overwrite');
  const after = await users();
  const withoutTime = (list: readonly StoredUser[]): unknown[] =>
    list.map(({ changedAt: _changedAt, ...user }) => user);
  expect(withoutTime(after)).toEqual(withoutTime(before));
});

test('users with a new or no id are added; existing ids are only replaced with --overwrite', async () => {
  await addAdministrator();
  const [admin] = await users();
  const record = (fields: object): object => ({ password: admin?.passwordHash, ...fields });
  const file = join(cli.folder, 'users.json');
  await writeFile(
    file,
    JSON.stringify([record({ username: 'new' }), record({ id: 77, username: 'other', rules: null })]),
  );
  await cli.succeed('users', 'import', 'users.json');
  expect((await users()).map(({ id, username }) => `${id} ${username}`)).toEqual([
    '1 admin',
    '2 new',
    '3 other',
  ]);
  // The name moves from one user to the other in one import.
  await writeFile(file, JSON.stringify([record({ id: 2, username: 'newer' }), record({ username: 'new' })]));
  await cli.succeed('users', 'import', 'users.json', '--overwrite');
  expect((await users()).map(({ username }) => username)).toEqual(['admin', 'newer', 'other', 'new']);
  await writeFile(file, JSON.stringify([record({ id: 2, username: 'other' })]));
  expect(await failing('users', 'import', 'users.json', '--overwrite')).toContain(
    'the name belongs to another user',
  );
});

test('--replace replaces all users and saves the previous ones', async () => {
  await addAdministrator();
  await cli.succeed('users', 'add', 'bob', good);
  const before = await users();
  await cli.succeed('users', 'export', 'users.json');
  await cli.succeed('users', 'rm', 'bob');
  await cli.succeed('users', 'add', 'carol', good);
  const out = await cli.succeed('users', 'import', 'users.json', '--replace');
  expect((await users()).map(({ username }) => username)).toEqual(['admin', 'bob']);
  expect((await users()).map(({ passwordHash }) => passwordHash)).toEqual(
    before.map((user) => user.passwordHash),
  );
  const [, backup = ''] = /previous users were saved to (\S+)\.\n/.exec(out) ?? [];
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((await stat(join(backup, '..'))).mode & 0o777).toBe(0o700);
  const saved = JSON.parse(await readFile(backup, 'utf8')) as { username: string }[];
  expect(saved.map(({ username }) => username)).toEqual(['admin', 'carol']);
  // The saved file restores the previous users.
  await cli.succeed('users', 'import', backup, '--replace');
  expect((await users()).map(({ username }) => username)).toEqual(['admin', 'carol']);
});

test('an invalid file is refused with the path of the error and changes nothing', async () => {
  await addAdministrator();
  const before = await users();
  const [admin] = before;
  const hash = admin?.passwordHash;
  const expectRefused = async (records: unknown, expected: string | RegExp): Promise<void> => {
    for (const [file, text] of [
      ['users.json', JSON.stringify(records)],
      ['users.yaml', stringify(records)],
    ] as const) {
      await writeFile(join(cli.folder, file), text);
      for (const flag of ['--overwrite', '--replace']) {
        const reason = await failing('users', 'import', file, flag);
        if (typeof expected === 'string') expect(reason).toContain(expected);
        else expect(reason).toMatch(expected);
      }
    }
  };
  const ok = { username: 'ok', password: hash, perm: { admin: true } };
  await expectRefused({ users: [] }, 'expected a list of users');
  await expectRefused([ok, 'bob'], 'users[1]: expected a user');
  await expectRefused(
    [ok, { username: 'x', password: hash, sorting: { by: 'color' } }],
    'users[1].sorting.by',
  );
  await expectRefused([ok, { username: 'x', password: hash, perm: { admin: 'yes' } }], 'users[1].perm.admin');
  await expectRefused(
    [ok, { username: 'x', password: hash, prem: {} }],
    'users[1].prem: users have no such field',
  );
  await expectRefused(
    [ok, { username: 'x', password: 'clear text' }],
    'users[1].password: expected the hash',
  );
  await expectRefused([ok, { username: 'x', password: hash, scope: '/a/../b' }], 'users[1]: parent segment');
  await expectRefused(
    [ok, { username: 'x', password: hash, rules: [{ regex: true, regexp: { raw: '(' } }] }],
    'users[1]: (',
  );
  await expectRefused([ok, { username: '', password: hash }], 'users[1].username');
  await expectRefused(
    [ok, { username: 'OK', password: hash }],
    'users[1].username: is also the name of users[0]',
  );
  await expectRefused(
    [
      { ...ok, id: 1 },
      { username: 'y', password: hash, id: 1 },
    ],
    'users[1].id: occurs twice',
  );
  await expectRefused(
    [{ id: 1, username: 'admin', password: hash }],
    /no administrator would be left|at least one administrator/,
  );
  expect(await users()).toEqual(before);
  await writeFile(join(cli.folder, 'users.json'), '[{"username": "x",]');
  expect(await failing('users', 'import', 'users.json')).toContain('users.json: ');
  await writeFile(join(cli.folder, 'users.yaml'), 'a: [b');
  expect(await failing('users', 'import', 'users.yaml')).toContain('users.yaml: ');
  await writeFile(join(cli.folder, 'bomb.yaml'), 'a: &a [x, x]\nb: [*a, *a]\n');
  expect(await failing('users', 'import', 'bomb.yaml')).toContain('bomb.yaml: ');
  expect(await failing('users', 'import', 'users.txt')).toContain('.json, .yml or .yaml');
  expect(await failing('users', 'import', 'missing.json')).toContain('missing.json cannot be read');
  expect(await failing('users', 'export', 'no/such/folder/users.json')).toContain('cannot be written');
});

test('a YAML export has lower-case keys, like those of existing tools', async () => {
  await addAdministrator();
  await cli.succeed('users', 'export', 'users.yml');
  const [user] = parse(await readFile(join(cli.folder, 'users.yml'), 'utf8')) as object[];
  expect(Object.keys(user ?? {}).every((key) => key === key.toLowerCase())).toBe(true);
  expect(user).toMatchObject({
    username: 'admin',
    lockpassword: false,
    viewmode: 'list',
    perm: { admin: true },
  });
});

test.skipIf(process.getuid?.() === 0)('an unreadable database is reported with its path', async () => {
  await chmod(cli.databasePath, 0o000);
  expect(await failing('users', 'ls')).toContain('filestead.db');
});
