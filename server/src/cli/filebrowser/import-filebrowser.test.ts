import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  type FormerData,
  bcryptHash,
  formerLink,
  formerPassword,
  formerServer,
  formerSettings,
  formerUser,
  writeFormerDatabase,
} from '../../../test/fixtures/filebrowser-data.ts';
import { writeBolt } from '../../../test/fixtures/bolt-writer.ts';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { verifyPassword } from '../../access/sign-in/passwords.ts';
import { readStoredOptions } from '../../database/read-stored-options.ts';
import { withLowerKeys } from '../records/parse-record.ts';
import type { ImportReport } from './report.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli.remove());

const admin = formerUser({ perm: { admin: true } });
const old = (): string => join(cli.folder, '..', 'filebrowser.db');
const writeOld = (data: FormerData): Promise<void> => writeFile(old(), writeFormerDatabase(data));
async function allOf<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(...part);
  return all;
}
const stored = () =>
  cli.inspect(async (database) => ({
    users: await database.users.list(),
    shares: await allOf(database.shares.list(0)),
    settings: await database.settings.read(),
    auth: await database.settings.readAuthMethod(),
  }));
const failing = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await cli.run(args);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^filestead: .+$/);
  return err;
};

/** Imports the database and returns the report as JSON and as text. */
async function importOld(...flags: string[]): Promise<ImportReport & { text: string }> {
  const text = await cli.succeed('import-filebrowser', old(), '--report', '../report.json', ...flags);
  const report = JSON.parse(await readFile(join(cli.folder, '..', 'report.json'), 'utf8')) as ImportReport;
  return { ...report, text };
}
const reasons = (report: ImportReport): string[] =>
  report.items.map(({ outcome, kind, name, reason }) => `${outcome} ${kind} ${name}: ${reason}`);

test('a database is imported completely into an empty folder: users with passwords, settings, rules, commands, shares', async () => {
  await mkdir(join(cli.folder, 'alice', 'docs'), { recursive: true });
  await writeFile(join(cli.folder, 'alice', 'photo.jpg'), 'x');
  await writeOld({
    users: [
      admin,
      formerUser({
        id: 3,
        username: 'alice',
        scope: '/alice',
        locale: 'pt-pt',
        lockPassword: true,
        commands: ['git', 'ls'],
        sorting: { by: 'size', asc: true },
        rules: [
          { regex: false, allow: false, path: '/private/', regexp: null },
          { regex: true, allow: true, path: '', regexp: { raw: '^/open' } },
        ],
        hideDotfiles: true,
        aceEditorTheme: 'twilight',
      }),
    ],
    links: [
      formerLink({ hash: 'folder_1', path: '/docs', userID: 3 }),
      formerLink({
        hash: 'photo-2',
        path: '/photo.jpg',
        userID: 3,
        expire: 4_102_444_800,
        password_hash: bcryptHash,
        token: 'x',
      }),
      formerLink({ hash: 'missing3', path: '/gone/', userID: 1 }),
    ],
    settings: formerSettings({
      signup: true,
      branding: { name: 'Home', files: '/srv/brand', color: '#123456', disableExternal: true, theme: 'dark' },
      commands: { before_upload: ['echo $FILE'], after_save: ['date'] },
      rules: [{ regex: false, allow: false, path: '/secret', regexp: null }],
      shell: ['bash', '-c'],
    }),
    server: formerServer({
      baseURL: '/files',
      address: '0.0.0.0',
      port: '80',
      log: '/var/log/fb 1.log',
      enableExec: true,
    }),
    auther: { recaptcha: { host: 'https://captcha.example', key: 'public', secret: 'hidden' } },
  });
  const report = await importOld();
  const { users, shares, settings, auth } = await stored();
  expect(users.map(({ id, username, scope }) => [id, username, scope])).toEqual([
    [1, 'admin', '/'],
    [2, 'alice', '/alice'],
  ]);
  expect(users[1]).toMatchObject({
    locale: 'pt',
    lockPassword: true,
    viewMode: 'mosaic',
    redirectAfterCopyMove: true,
    commands: ['git', 'ls'],
    sorting: { by: 'size', asc: true },
    hideDotfiles: true,
    aceEditorTheme: 'twilight',
    perm: { admin: false, execute: true, share: true },
    rules: [
      { regex: false, allow: false, path: '/private', regexp: null },
      { regex: true, allow: true, path: '', regexp: { raw: '^/open' } },
    ],
  });
  for (const { passwordHash } of users) expect(await verifyPassword(passwordHash, formerPassword)).toBe(true);
  expect(
    shares.map(({ hash, userId, path, isFolder, expiresAt }) => [hash, userId, path, isFolder, expiresAt]),
  ).toEqual([
    ['missing3', 1, '/gone', true, 0],
    ['folder_1', 2, '/docs', true, 0],
    ['photo-2', 2, '/photo.jpg', false, 4_102_444_800],
  ]);
  expect(shares[2]?.passwordHash).toBe(bcryptHash);
  expect(settings).toMatchObject({
    signup: true,
    hideLoginButton: true,
    minimumPasswordLength: 12,
    branding: { name: 'Home', files: '/srv/brand', color: '#123456', disableExternal: true, theme: 'dark' },
    commands: { before_upload: ['echo $FILE'], after_save: ['date'], before_copy: [] },
    rules: [{ regex: false, allow: false, path: '/secret', regexp: null }],
    shell: ['bash', '-c'],
    defaults: { viewMode: 'mosaic', sorting: { by: 'name', asc: false }, commands: [] },
  });
  expect(auth).toMatchObject({
    method: 'json',
    recaptcha: { host: 'https://captcha.example', key: 'public', secret: 'hidden' },
  });
  expect(report.imported).toEqual({ users: 2, usersReplaced: 0, links: 3, rules: 3, hasSettings: true });
  expect(report.flags).toEqual([
    `--root=${cli.folder}`,
    `--data=${join(cli.folder, '.filestead')}`,
    '--baseURL=/files',
    '--port=80',
    '--address=0.0.0.0',
    "--log='/var/log/fb 1.log'",
    '--fileMode=0640',
    '--dirMode=0750',
  ]);
  expect(readStoredOptions(cli.databasePath)).toEqual({});
  expect(reasons(report)).toEqual(
    expect.arrayContaining([
      'note link missing3 (/gone/): there is no entry at its path; visitors get “not found” until there is one',
      'note setting defaults.scope: is not shown to new accounts without a home folder before you confirm it: filestead config set --confirmedDefaultScope=/',
      'note command before_upload: has a command, run only when the server is started with --enableExec',
      'note start-up option enableExec: commands are off here unless the server is started with it',
      'note rule paths: match whole names here: a rule for /docs does not cover /docs2',
    ]),
  );
  expect(report.text).not.toContain('hidden');
  expect(report.text).toContain('2 users');
  expect((await stat(cli.databasePath)).mode & 0o777).toBe(0o600);
  expect((await stat(join(cli.folder, '..', 'report.json'))).mode & 0o777).toBe(0o600);
});

test('records that cannot be imported are reported with the reason, and all others are imported', async () => {
  await writeOld({
    users: [
      admin,
      formerUser({ id: 2, username: 'Bob' }),
      formerUser({ id: 3, username: 'bob' }),
      formerUser({ id: 4, username: 'tab\there' }),
      formerUser({
        id: 5,
        username: 'climber',
        scope: '../../etc/./x',
        viewMode: 'tiles',
        locale: 'xx',
        sorting: { by: 'color' },
      }),
      formerUser({ id: 6, username: 'keyless', password: '', extra: 1 }),
      formerUser({ id: 7, username: 'odd', perm: { admin: 'yes' } }),
      formerUser({
        id: 8,
        username: 'ruled',
        rules: [
          { regex: true, allow: false, path: '', regexp: { raw: '(' } },
          { regex: false, allow: false, path: 'docs', regexp: null },
          { regex: false, allow: true, path: 'open', regexp: null },
          { regex: false, allow: false, path: '/a/../b', regexp: null },
          { regex: false, allow: false, path: '', regexp: null },
          'x',
        ],
        commands: ['^git.*$'],
      }),
    ],
    links: [
      formerLink({ hash: 'ended', expire: 1 }),
      formerLink({ hash: 'orphan', userID: 99 }),
      formerLink({ hash: 'ofBob', userID: 3 }),
      formerLink({ hash: 'bad/hash' }),
      formerLink({ hash: 'badPath', path: '/a/../b' }),
      formerLink({ hash: 'badHash', password_hash: 'md5' }),
      formerLink({ hash: 'fine' }),
    ],
    settings: formerSettings({
      newerSetting: 1,
      branding: { name: 5, theme: 'purple', color: '#fff' },
      authMethod: 'magic',
      defaults: { locale: 'xx', viewMode: 'tiles', sorting: { by: 'color' }, perm: { create: true } },
      commands: { on_fire: ['call 112'] },
      rules: [{ regex: true, allow: true, path: '', regexp: { raw: '(?=x)' } }],
    }),
    server: formerServer({ authHook: 'x', newerOption: 'y' }),
  });
  const report = await importOld();
  const { users, shares, settings, auth } = await stored();
  expect(users.map(({ username }) => username)).toEqual(['admin', 'Bob', 'climber', 'keyless', 'ruled']);
  expect(users[2]).toMatchObject({ scope: '/etc/x', viewMode: 'list', locale: '', sorting: { by: 'name' } });
  expect(await verifyPassword(users[3]?.passwordHash ?? null, '')).toBe(false);
  expect(users[4]?.rules).toEqual([{ regex: false, allow: false, path: '/docs', regexp: null }]);
  expect(shares.map(({ hash }) => hash)).toEqual(['fine']);
  expect(settings).toMatchObject({
    branding: { name: '', theme: '', color: '#fff' },
    defaults: { viewMode: 'list', perm: { create: true } },
  });
  expect(auth.method).toBe('json');
  const found = reasons(report);
  for (const expected of [
    'skipped user bob: it is the same name as “Bob” here: case makes no difference',
    'skipped user tab\u{fffd}here: the username contains invisible characters',
    'changed user climber: the scope “../../etc/./x” is now “/etc/x”, the same folder as before',
    'changed user climber: the view mode “tiles” is not known; it is now a list',
    'changed user climber: the language “xx” is not known; the browser’s is used',
    'changed user climber: cannot be sorted by “color”; names are used',
    'changed user keyless: has no usable password; set one with “filestead users update --password”',
    'skipped user keyless: extra is not known',
    'skipped rule ruled: deny (: the pattern cannot be used here; what it denied is no longer denied',
    'changed rule ruled: deny docs: it now matches: a slash was put before its path',
    'skipped rule ruled: allow open: it never matched, because its path does not start with a slash',
    'note user ruled: may run ^git.*$: commands are exact names here, not patterns',
    'skipped link ended (/docs/): it has ended',
    'skipped link orphan (/docs): its owner was not imported',
    'skipped link ofBob (/docs): its owner was not imported',
    'skipped link badPath (/a/../b): its path cannot be used here',
    'skipped link badHash (/docs/): its password cannot be checked here',
    'skipped setting settings.newerSetting: is not known',
    'changed setting branding.theme: “purple” is not known; the default is used',
    'skipped sign-in magic: this authentication method does not exist; usernames and passwords are used',
    'note command on_fire: is not an event of Filestead; it is kept but never run',
    'skipped rule allow (?=x): the pattern cannot be used here',
    'skipped setting server.authHook: has no effect in Filestead',
    'skipped setting server.newerOption: is not known',
  ]) {
    expect(found).toContain(expected);
  }
  expect(found.some((line) => line.startsWith('skipped user odd: perm.admin'))).toBe(true);
  expect(found.some((line) => line.startsWith('skipped setting branding.name'))).toBe(true);
  expect(found.some((line) => line.startsWith('skipped link number'))).toBe(true);
  expect(found.some((line) => line.startsWith('skipped rule ruled: deny /a/../b'))).toBe(true);
});

test('a dry run reports the same and changes nothing', async () => {
  await writeOld({ users: [admin, formerUser({ id: 2, username: 'Admin' })], links: [formerLink({})] });
  const dry = await importOld('--dry-run');
  expect(existsSync(join(cli.folder, '.filestead'))).toBe(false);
  expect(dry.text).toContain('Would import');
  expect(dry.text).toContain('nothing was changed');
  const real = await importOld();
  expect({ ...dry, text: '', isDryRun: false }).toEqual({ ...real, text: '' });

  const before = await stored();
  const files = await readdir(join(cli.folder, '.filestead'));
  await writeOld({ users: [formerUser({ id: 2, username: 'carol' })] });
  expect((await importOld('--dryRun')).text).toContain(
    'requires --overwrite, because there is a user already',
  );
  expect((await importOld('--dry-run', '--overwrite')).imported.users).toBe(1);
  expect(await stored()).toEqual(before);
  expect(await readdir(join(cli.folder, '.filestead'))).toEqual(files);
});

test('an import requires --overwrite if there are users: equal names are replaced, others are kept', async () => {
  await cli.succeed('config', 'init', '--branding.name=New');
  await cli.succeed('users', 'add', 'ADMIN', 'a password for tests', '--perm.admin');
  await cli.succeed('users', 'add', 'stays', 'a password for tests');
  await writeOld({
    users: [admin, formerUser({ id: 2, username: 'added' })],
    links: [formerLink({ hash: 'one' })],
  });
  expect(await failing('import-filebrowser', old())).toContain('there are 2 users already; --overwrite');
  expect((await stored()).settings?.branding.name).toBe('New');
  const report = await importOld('--overwrite');
  const after = await stored();
  expect(after.users.map(({ id, username }) => `${id} ${username}`)).toEqual([
    '1 admin',
    '2 stays',
    '3 added',
  ]);
  expect(await verifyPassword(after.users[0]?.passwordHash ?? null, formerPassword)).toBe(true);
  expect(after.shares.map(({ hash, userId }) => [hash, userId])).toEqual([['one', 1]]);
  expect(after.settings?.branding.name).toBe('');
  expect(report.imported).toMatchObject({ users: 2, usersReplaced: 1 });
  expect(report.text).toContain('2 users (1 user of the same name replaced)');
  expect((await stat(report.backup ?? '')).mode & 0o777).toBe(0o600);
  // A second import has the same result.
  await importOld('--overwrite');
  expect((await stored()).users.map(({ id, username }) => `${id} ${username}`)).toEqual([
    '1 admin',
    '2 stays',
    '3 added',
  ]);
});

test('the only administrator is not replaced by a user without that permission', async () => {
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'admin', 'a password for tests', '--perm.admin');
  const before = await stored();
  await writeOld({
    users: [formerUser({ id: 1, username: 'admin' }), formerUser({ id: 2, username: 'new' })],
  });
  expect(await failing('import-filebrowser', old(), '--overwrite')).toContain(
    'at least one administrator must remain',
  );
  expect(await stored()).toEqual(before);
});

test.each(['json', 'yaml'])('exports to %s are imported like a database', async (ending) => {
  const users = [admin, formerUser({ id: 2, username: 'alice', scope: '/alice' })];
  const config = {
    settings: formerSettings({ signup: true, userHomeBasePath: '/homes', authMethod: 'proxy' }),
    server: formerServer({ baseURL: '/files' }),
    auther: { header: 'X-User' },
  };
  for (const [name, record] of [
    ['users', users],
    ['config', config],
  ] as const) {
    const text = ending === 'json' ? JSON.stringify(record) : stringify(withLowerKeys(record));
    await writeFile(join(cli.folder, '..', `${name}.${ending}`), text);
  }
  const out = await cli.succeed('import-filebrowser', `../users.${ending}`, `../config.${ending}`);
  expect(out).toContain(`filestead --root=${cli.folder} --data=${cli.folder}/.filestead --baseURL=/files`);
  const { users: importedUsers, settings, auth } = await stored();
  expect(importedUsers.map(({ username, scope }) => [username, scope])).toEqual([
    ['admin', '/'],
    ['alice', '/alice'],
  ]);
  expect(settings).toMatchObject({ signup: true, userHomeBasePath: '/homes', hideLoginButton: true });
  expect(auth).toMatchObject({ method: 'proxy', header: 'X-User' });
});

test('importing users only does not change the settings', async () => {
  await writeFile(join(cli.folder, 'users.json'), JSON.stringify([admin]));
  await cli.succeed('config', 'init', '--branding.name=Kept');
  await cli.succeed('import-filebrowser', 'users.json');
  expect((await stored()).settings?.branding.name).toBe('Kept');
});

test('records of the oldest version, which lack newer keys, get plain values', async () => {
  const { id, username, password, perm } = admin;
  await writeFile(
    old(),
    writeFormerDatabase({
      users: [{ id, username, password, perm }],
      settings: { key: 'x', signup: true, rules: null, commands: null, branding: { name: '' } },
      server: { root: '/srv' },
    }),
  );
  const report = await importOld();
  expect(report.items).toMatchObject([
    { outcome: 'note', name: 'defaults.scope' },
    { outcome: 'note', name: 'root', reason: `was /srv in File Browser; it is ${cli.folder} here` },
  ]);
  expect((await stored()).users[0]).toMatchObject({
    scope: '/',
    viewMode: 'list',
    rules: [],
    perm: { admin: true, share: false },
  });
});

test('three thousand users below branch pages are imported with the older header if the newer one is damaged', async () => {
  const users = [
    admin,
    ...Array.from({ length: 3_000 }, (_, index) => formerUser({ id: index + 2, username: `user ${index}` })),
  ];
  await writeOld({ users });
  expect((await importOld()).imported.users).toBe(3_001);
  const file = writeFormerDatabase({ users });
  file.fill(0, 4096 + 16, 4096 + 80);
  await writeFile(old(), file);
  const out = await cli.succeed('import-filebrowser', old(), '--data', '../other');
  // The older transaction has an empty database.
  expect(out).toContain('0 users');
});

test('files that are not databases, damaged or missing are refused, and nothing is created', async () => {
  const expectRefused = async (name: string, content: string | Buffer, reason: string): Promise<void> => {
    await writeFile(join(cli.folder, name), content);
    expect(await failing('import-filebrowser', name)).toContain(`${name}: ${reason}`);
  };
  await expectRefused('note.db', 'not a database', 'the file is not a database of File Browser');
  await expectRefused('empty.db', '', 'the file is not a database of File Browser');
  await expectRefused(
    'sqlite.db',
    'SQLite format 3\0'.padEnd(4096),
    'the file is not a database of File Browser',
  );
  await expectRefused(
    'other.json',
    '{"a":1}',
    'it is neither an export of users nor one of the configuration',
  );
  await expectRefused('broken.json', '[', '');
  const whole = writeFormerDatabase({});
  await expectRefused('cut.db', whole.subarray(0, 3 * 4096), 'page');
  await expectRefused('headers.db', whole.fill(0, 24, 90).fill(0, 4096 + 24, 4096 + 90), 'both headers');
  expect(await failing('import-filebrowser', 'missing.db')).toContain('missing.db cannot be read');
  expect(await failing('import-filebrowser', '.')).toContain('is not a file');
  expect(await failing('import-filebrowser')).toContain('missing required argument');
  expect(existsSync(join(cli.folder, '.filestead'))).toBe(false);
});

test('records that are not JSON are reported, and terminal escape sequences are not printed', async () => {
  await writeFile(
    old(),
    writeBolt({
      config: { settings: '{broken', server: JSON.stringify(formerServer()) },
      User: {
        '\0\0\0\0\0\0\0\x01': JSON.stringify(admin),
        '\0\0\0\0\0\0\0\x02': '{broken',
        '\0\0\0\0\0\0\0\x03': JSON.stringify(formerUser({ id: 3, username: '\u001b[2Jred' })),
        '\0\0\0\0\0\0\0\x04': '[1]',
      },
    }),
  );
  const report = await importOld();
  expect(report.imported).toMatchObject({ users: 1, hasSettings: false });
  expect(reasons(report)).toContain('skipped record User 2: it cannot be read');
  expect(reasons(report)).toContain('skipped record settings: it cannot be read');
  expect(report.text).not.toContain('\u001b');
});
