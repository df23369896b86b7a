import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandEvents } from '@filestead/contract/settings';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import type { AuthMethod } from '../../config/auth-method.ts';
import { readStoredOptions } from '../../database/read-stored-options.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli.remove());

const settings = () => cli.inspect((database) => database.settings.read());
const authMethod = (): Promise<AuthMethod> => cli.inspect((database) => database.settings.readAuthMethod());
const failing = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await cli.run(args);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^filestead: .+$/);
  return err;
};

test('config init creates a database with mode 600, once', async () => {
  const { status, out, err } = await cli.run([
    'config',
    'init',
    '--branding.name',
    'Home',
    '-s',
    '-p',
    '9000',
  ]);
  expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining('name: Home') as unknown });
  expect(err).toContain('take effect at the next start');
  expect((await stat(cli.databasePath)).mode & 0o777).toBe(0o600);
  expect((await stat(join(cli.databasePath, '..'))).mode & 0o777).toBe(0o700);
  expect(await settings()).toMatchObject({ signup: true, branding: { name: 'Home' } });
  expect(await failing('config', 'init')).toContain('exists already');
  expect(await settings()).toMatchObject({ signup: true });
});

test('a database that could not be filled is removed', async () => {
  expect(await failing('config', 'init', '--port', 'x')).toContain('--port: expected a whole number');
  expect(await failing('config', 'init', '--minimumPasswordLength', '0')).toContain('minimumPasswordLength');
  expect(await failing('config', 'init', '--userHomeBasePath', '/a/../b')).toContain('parent segment');
  expect(await failing('config', 'init', '--auth.method', 'proxy')).toContain('auth.header');
  expect(existsSync(cli.databasePath)).toBe(false);
});

test('config set changes only the given settings', async () => {
  await cli.succeed('config', 'init', '--branding.color=#123456', '--perm.delete=false', '--hideDotfiles');
  const before = await settings();
  await cli.succeed(
    'config',
    'set',
    '--signup',
    '--branding.theme',
    'dark',
    '--shell',
    'bash  -c',
    '--perm.share=off',
    '--tus.chunkSize=1048576',
    '--minimumPasswordLength=12',
    '--scope',
    '/home',
    '--sorting.by=modified',
  );
  expect(await settings()).toEqual({
    ...before,
    signup: true,
    branding: { ...before?.branding, theme: 'dark' },
    shell: ['bash', '-c'],
    defaults: {
      ...before?.defaults,
      scope: '/home',
      sorting: { by: 'modified', asc: false },
      perm: { ...before?.defaults.perm, share: false },
    },
    tus: { ...before?.tus, chunkSize: 1_048_576 },
    minimumPasswordLength: 12,
  });
  expect(before?.defaults.perm.delete).toBe(false);
  expect(await failing('users', 'add', 'x', 'elevenchars')).toContain('minimum length is 12');
  expect(await failing('config', 'set')).toContain('nothing to change');
  expect(await failing('config', 'set', '--branding.theme', 'purple')).toContain('--branding.theme');
});

test('start-up options are accepted in either spelling, checked like the server’s, and stored with absolute paths', async () => {
  await cli.succeed('config', 'init');
  await cli.succeed(
    'config',
    'set',
    '--base-url',
    'files/',
    '--address=0.0.0.0',
    '--cert',
    'c.pem',
    '-k',
    'k.pem',
  );
  await cli.succeed('config', 'set', '--root', '../served', '--enableExec');
  expect(readStoredOptions(cli.databasePath)).toEqual({
    baseURL: 'files/',
    address: '0.0.0.0',
    cert: join(cli.folder, 'c.pem'),
    key: join(cli.folder, 'k.pem'),
    root: join(cli.folder, '..', 'served'),
    enableExec: 'on',
  });
  expect(await failing('config', 'set', '--socket', 'x.sock')).toContain('cannot be combined with');
  expect(await failing('config', 'set', '--tokenExpirationTime', 'soon')).toContain('expected a duration');
  expect(Object.keys(readStoredOptions(cli.databasePath))).not.toContain('socket');
  const { status, err } = await cli.run(['config', 'set', '--lockPassword=1', '--signup']);
  expect({ status, err }).toEqual({ status: 0, err: '--lockPassword has no effect in Filestead.' });
});

test('changing the authentication method keeps the other values and never shows the secret of the captcha', async () => {
  await cli.succeed(
    'config',
    'init',
    '--auth.method=proxy',
    '--auth.header=X-User',
    '--auth.logoutPage=/bye',
  );
  const captcha = [
    '--recaptcha.key=public',
    '--recaptcha.secret=hidden',
    '--recaptcha.host=https://captcha.example',
  ];
  const out = await cli.succeed('config', 'set', '--auth.method=json', ...captcha);
  expect(out).not.toContain('hidden');
  expect(await cli.succeed('config', 'cat')).not.toContain('hidden');
  expect(await authMethod()).toEqual({
    method: 'json',
    header: 'X-User',
    logoutPage: '/bye',
    recaptcha: { host: 'https://captcha.example', key: 'public', secret: 'hidden' },
  });
  expect(await failing('config', 'set', '--auth.method=magic')).toContain('--auth.method');
});

test.each(['json', 'yaml'])(
  'an export to %s has no secret, and importing it gives the same configuration',
  async (ending) => {
    await cli.succeed(
      'config',
      'init',
      '--signup',
      '--branding.name=Home',
      '--branding.files=/srv/brand',
      '--viewMode=mosaic',
      '--auth.method=hook',
      '--auth.command=/bin/login now',
      '--recaptcha.secret=hidden',
      '--recaptcha.key=public',
      '--port=9001',
      '--baseURL=/files',
      '--sessionIdle=3h',
      '--trustedProxies=192.0.2.1,192.0.2.2',
    );
    await cli.succeed('rules', 'add', '/secret');
    await cli.succeed('rules', 'add', '-ar', '^/open/.*[.]txt$');
    await cli.succeed('cmds', 'add', 'after_upload', 'echo', 'done');
    const before = {
      settings: await settings(),
      auth: await authMethod(),
      options: readStoredOptions(cli.databasePath),
    };
    const file = `config.${ending}`;
    await cli.succeed('config', 'export', file);
    const text = await readFile(join(cli.folder, file), 'utf8');
    expect((await stat(join(cli.folder, file))).mode & 0o777).toBe(0o600);
    expect(text).not.toContain('hidden');
    expect(text).not.toMatch(/\bkey: .{40}/);
    expect(text).toContain(
      ending === 'json' ? '    "settings": {\n        "signup": true' : 'userhomebasepath: /users',
    );
    await cli.succeed(
      'config',
      'set',
      '--signup=false',
      '--branding.name=',
      '--auth.method=json',
      '--port=1',
      '--log=none',
    );
    await cli.succeed('rules', 'rm', '0', '1');
    await cli.succeed('config', 'import', file);
    const after = {
      settings: await settings(),
      auth: await authMethod(),
      options: readStoredOptions(cli.databasePath),
    };
    expect(after).toEqual(before);
  },
);

test('a configuration of File Browser is imported without a database; its key and unsupported options are ignored', async () => {
  const record = {
    settings: {
      key: 'c2VjcmV0',
      signup: true,
      createUserDir: false,
      userHomeBasePath: '',
      defaults: {
        scope: '.',
        locale: '',
        viewMode: 'mosaic',
        sorting: { by: '', asc: false },
        perm: { create: true },
        commands: null,
      },
      authMethod: 'json',
      branding: { name: 'Old', disableExternal: false, files: '', theme: '', color: '' },
      commands: { after_copy: null, before_save: ['echo $FILE'] },
      shell: null,
      rules: [{ regex: false, allow: false, path: '/private', regexp: null }],
      fileMode: 416,
    },
    server: {
      root: '/srv',
      baseURL: '',
      socket: '',
      tlsKey: '',
      tlsCert: '',
      port: '8080',
      address: '127.0.0.1',
      log: 'stdout',
      enableExec: true,
      typeDetectionByHeader: true,
      authHook: '',
    },
    auther: { recaptcha: null },
  };
  await writeFile(join(cli.folder, 'old.json'), JSON.stringify(record));
  const { status, err } = await cli.run(['config', 'import', 'old.json']);
  expect({ status, err }).toEqual({ status: 0, err: 'settings.fileMode has no effect in Filestead.' });
  expect(await settings()).toMatchObject({
    signup: true,
    userHomeBasePath: '/users',
    defaults: { viewMode: 'mosaic', sorting: { by: 'name' }, commands: [] },
    branding: { name: 'Old' },
    rules: [{ path: '/private', allow: false }],
    commands: {
      ...Object.fromEntries(commandEvents.map((event) => [event, []])),
      before_save: ['echo $FILE'],
    },
  });
  expect(readStoredOptions(cli.databasePath)).toEqual({ root: '/srv', enableExec: 'true' });
});

test('an invalid file is refused with the path of the error and changes nothing', async () => {
  await cli.succeed('config', 'init', '--branding.name=Home', '--port=9000');
  await cli.succeed('config', 'export', 'good.yaml');
  const good = parse(await readFile(join(cli.folder, 'good.yaml'), 'utf8')) as {
    settings: Record<string, unknown>;
    server: Record<string, unknown>;
    auther: Record<string, unknown>;
  };
  const before = [await settings(), await authMethod(), readStoredOptions(cli.databasePath)];
  const expectRefused = async (record: unknown, expected: string): Promise<void> => {
    await writeFile(join(cli.folder, 'bad.yaml'), stringify(record));
    expect(await failing('config', 'import', 'bad.yaml')).toContain(expected);
  };
  await expectRefused([], 'bad.yaml: expected an object');
  await expectRefused({ server: {} }, 'bad.yaml: settings: expected an object');
  await expectRefused({ ...good, settings: { ...good.settings, signup: 'yes' } }, 'settings.signup');
  await expectRefused(
    { ...good, settings: { ...good.settings, brandng: {} } },
    'settings.brandng: there is no such setting',
  );
  await expectRefused(
    { ...good, settings: { ...good.settings, branding: { nmae: '' } } },
    'settings.branding.nmae: there is no',
  );
  await expectRefused(
    { ...good, settings: { ...good.settings, authmethod: 'magic' } },
    'settings.authMethod',
  );
  await expectRefused(
    { ...good, settings: { ...good.settings, defaults: { locale: 'xx' } } },
    'settings.defaults.locale',
  );
  await expectRefused(
    { ...good, settings: { ...good.settings, rules: [{ regex: true, regexp: { raw: '(' } }] } },
    '(',
  );
  await expectRefused({ ...good, server: { port: '99999' } }, 'server.port: expected a whole number');
  await expectRefused({ ...good, server: { prot: '1' } }, 'server.prot: there is no such setting');
  await expectRefused({ ...good, auther: { header: 5 } }, 'auther.header');
  await expectRefused({ ...good, auther: { secret: 'x' } }, 'auther.secret: there is no such setting');
  await expectRefused({ ...good, others: {} }, 'others: there is no such setting');
  expect([await settings(), await authMethod(), readStoredOptions(cli.databasePath)]).toEqual(before);
});

test('config set grants the confirmed default scope to waiting accounts', async () => {
  await cli.succeed('config', 'init', '--signup', '--scope=/guests');
  await cli.succeed('users', 'add', 'visitor', 'a long password', '--awaitsScope', '--scope=/');
  const visitor = () => cli.inspect((database) => database.users.findByName('visitor'));
  expect(await visitor()).toMatchObject({ scope: '/', awaitsScope: true });
  await cli.succeed('config', 'set', '--confirmedDefaultScope=/other');
  expect(await visitor()).toMatchObject({ awaitsScope: true });
  await cli.succeed('config', 'set', '--confirmedDefaultScope=guests/');
  expect(await settings()).toMatchObject({ confirmedDefaultScope: '/guests' });
  expect(await visitor()).toMatchObject({ scope: '/guests', awaitsScope: false });
  expect((await stat(join(cli.folder, 'guests'))).isDirectory()).toBe(true);
});

test('an exported user who waits for a scope still waits after the import', async () => {
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'boss', 'a long password', '--perm.admin');
  await cli.succeed('users', 'add', 'visitor', 'a long password', '--awaitsScope');
  await cli.succeed('users', 'export', join(cli.folder, 'users.json'));
  await cli.succeed('users', 'import', join(cli.folder, 'users.json'), '--replace');
  expect(await cli.inspect((database) => database.users.findByName('visitor'))).toMatchObject({
    awaitsScope: true,
  });
});

test('a new database counts as a lost installation only after a server has had users', async () => {
  await cli.succeed('config', 'init', '--branding.name=First');
  await rm(cli.databasePath);
  await cli.succeed('config', 'init', '--branding.name=Second');
  await writeFile(
    join(cli.folder, '.filestead', 'installation.json'),
    '{"began":"2026-01-02T03:04:05.678Z"}',
  );
  await rm(cli.databasePath);
  for (const command of [
    ['config', 'init'],
    ['users', 'ls'],
    ['config', 'cat'],
  ]) {
    const { status, err } = await cli.run(command);
    expect(status, command.join(' ')).toBe(1);
    expect(err, command.join(' ')).toContain(
      'is missing, but this data folder has been in use since 2026-01-02',
    );
  }
  await cli.succeed('config', 'init', '--newInstallation');
  const { err } = await cli.run(['users', 'ls']);
  expect(err).toContain('has no users, although it was in use');
  await cli.succeed('users', 'add', 'admin', 'a password for tests', '--perm.admin');
  await cli.succeed('users', 'ls');
});
