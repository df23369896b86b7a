import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, readConfig } from './config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-config-'));
  await mkdir(join(folder, 'home'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (args: string[] = [], env: Record<string, string> = {}): Promise<Config> =>
  readConfig({ args, env, cwd: folder, home: join(folder, 'home') });

test('every option has a default', async () => {
  expect(await read()).toMatchObject({
    root: folder,
    data: join(folder, '.filestead'),
    database: join(folder, '.filestead', 'filestead.db'),
    address: '127.0.0.1',
    port: 8080,
    baseUrl: '',
    socket: null,
    tokenLifeMs: 7_200_000,
    acceptsTokenInQuery: true,
    followExternalSymlinks: false,
    minimumPasswordLength: null,
    auth: { recaptcha: {} },
  });
});

test('flags override the environment, the environment the file, the file the defaults', async () => {
  await writeFile(join(folder, '.filebrowser.json'), '{"port":1,"baseurl":"/file","address":"::1"}');
  const env = { FB_PORT: '2', FILESTEAD_BASE_URL: '/environment', FB_BASE_URL: '/other' };
  expect(await read(['--port', '3'], env)).toMatchObject({
    port: 3,
    baseUrl: '/environment',
    address: '::1',
  });
});

test.each([['--base-url=/x'], ['--baseurl=/x/'], ['--baseURL=x'], ['-b/x']])(
  'the spelling %s of --baseURL is accepted',
  async (flag) => {
    expect((await read([flag])).baseUrl).toBe('/x');
  },
);

test('a given YAML file is read, and unsupported options in it are ignored', async () => {
  await writeFile(
    join(folder, 'my.yaml'),
    'sessionIdle: 1h30m\nmaxUploadSize: 2GiB\nimageProcessors: 4\nredisCacheUrl: redis://x\n',
  );
  expect(await read(['-c', 'my.yaml', '--disable-thumbnails'])).toMatchObject({
    sessionIdleMs: 5_400_000,
    maxUploadBytes: 2 * 1024 ** 3,
    imageProcessors: 4,
    makesThumbnails: false,
    makesBigPictures: true,
  });
});

test('the options for thumbnails have the names of File Browser', async () => {
  expect(await read(['--cache-dir=kept', '--img-processors=2', '--disable-preview-resize'])).toMatchObject({
    cache: join(folder, 'kept'),
    imageProcessors: 2,
    makesBigPictures: false,
  });
  expect(await read([], { FB_IMG_PROCESSORS: '3', FB_DISABLE_THUMBNAILS: 'true' })).toMatchObject({
    imageProcessors: 3,
    makesThumbnails: false,
  });
  await expect(read(['--imageProcessors=0'])).rejects.toThrow('--imageProcessors');
});

test.each([
  [['--port', 'x'], /--port: expected a whole number from 0 to 65535/],
  [['--port', '65536'], /--port/],
  [['--tokenExpirationTime', '0s'], /--tokenExpirationTime: expected a duration of more than 0/],
  [['--baseURL', '/a/../b'], /--baseURL: expected a path/],
  [['--baseURL', '//evil.example'], /--baseURL: expected a path/],
  [['--socket', 's', '--port', '1'], /--socket: cannot be combined with port/],
  [['--cert', 'c'], /TLS needs both/],
  [['--data', '.'], /nothing would be left to serve/],
  [['--trustedProxies', '10.0.0.0/33'], /--trustedProxies/],
  [['--trustedProxies', 'proxy.example'], /is not an address/],
  [['--auth.method', 'ldap'], /--auth\.method: expected one of json, proxy, hook, noauth/],
  [['--recaptcha.host', 'http://captcha.example'], /--recaptcha\.host: expected an address/],
  [['--recaptcha.host', 'file:///etc/passwd'], /--recaptcha\.host/],
])('the arguments %j are refused with the reason', async (args, message) => {
  await expect(read(args)).rejects.toThrow(message);
});

test('the authentication method is read from flags, variables and nested names of a file', async () => {
  await writeFile(join(folder, '.filestead.yaml'), 'auth:\n  method: proxy\n  header: X-User\n');
  const env = { FB_AUTH_HEADER: 'Remote-User', FILESTEAD_RECAPTCHA_SECRET: 'hush' };
  expect(
    (await read(['--auth.createUsers=on', '--recaptcha.host', 'https://captcha.example/'], env)).auth,
  ).toEqual({
    method: 'proxy',
    header: 'Remote-User',
    createUsers: true,
    recaptcha: { host: 'https://captcha.example', secret: 'hush' },
  });
  expect((await read(['--noauth'])).auth.method).toBe('noauth');
});

test('a duration of zero needs no unit, as the help of --hsts shows it', async () => {
  expect(await read(['--hsts', '0'])).toMatchObject({ hstsMs: 0 });
  await expect(read(['--sessionIdle', '0'])).rejects.toThrow(
    'sessionIdle: expected a duration of more than 0',
  );
});

test('a configuration file that is a folder, missing or not YAML is reported in one line', async () => {
  await mkdir(join(folder, '.filestead.yaml'));
  await expect(read()).rejects.toThrow(/^\S+\.filestead\.yaml: a file is needed, and this is a folder$/);
  await writeFile(join(folder, 'broken.yaml'), 'port: [1\n');
  const missing = { code: 'ENOENT', path: join(folder, 'missing.yaml') };
  await expect(read(['--config', 'missing.yaml'])).rejects.toMatchObject(missing);
  await expect(read(['--config', 'broken.yaml'])).rejects.toThrow(
    /^\S+broken\.yaml: .+ at line 2, column 1$/,
  );
});

test('an error in a file or a variable is reported with its source', async () => {
  await expect(read([], { FB_PORT: 'x' })).rejects.toThrow(/^FB_PORT: expected/);
  await writeFile(join(folder, '.filestead.yaml'), 'prot: 1\n');
  await expect(read()).rejects.toThrow(/\.filestead\.yaml: there is no option “prot”/);
});

test.each<[string[], Record<string, string>, boolean]>([
  [[], {}, false],
  [['--enable-exec'], {}, true],
  [['--enableExec=off'], { FILESTEAD_ENABLE_EXEC: 'on' }, false],
  [['--disableExec=false'], {}, true],
  [[], { FB_DISABLE_EXEC: 'false' }, true],
  [['--disable-exec'], {}, false],
  [['--disable-exec', '--enable-exec'], {}, false],
  [['--execUnsandboxed'], {}, false],
])('the arguments %j and the variables %j set isExecEnabled to %s', async (args, env, expected) => {
  expect((await read(args, env)).isExecEnabled).toBe(expected);
});

test('additional origins are normalized to the form that browsers send', async () => {
  const { allowedOrigins } = await read(['--allowedOrigins', 'https://Files.example.org:443/, http://x:81']);
  expect(allowedOrigins).toEqual(['https://files.example.org', 'http://x:81']);
  for (const wrong of ['example.org', 'https://x/path', 'ftp://x', 'null', 'https://a@x']) {
    await expect(read(['--allowedOrigins', wrong])).rejects.toThrow(/is not an origin/);
  }
});

test('options stored in the database have the lowest precedence and cannot move the database', async () => {
  const readPaths: string[] = [];
  const readStored = (path: string): Record<string, string> => {
    readPaths.push(path);
    return { port: '9000', root: '/srv', baseURL: '/files', data: '/elsewhere', unknown: 'x' };
  };
  const sources = { env: { FB_BASE_URL: '/env' }, cwd: folder, home: folder, readStored };
  const config = await readConfig({ ...sources, args: ['--port', '1'] });
  expect(config).toMatchObject({
    port: 1,
    baseUrl: '/env',
    root: '/srv',
    isRootChosen: true,
    isDataChosen: false,
  });
  expect(config.data).toBe(join(folder, '.filestead'));
  expect(readPaths).toEqual([join(folder, '.filestead', 'filestead.db')]);
  const wrong = readConfig({ ...sources, args: [], readStored: () => ({ port: 'x' }) });
  await expect(wrong).rejects.toThrow('the database: port: expected a whole number');
  expect(await read()).toMatchObject({ root: folder, isRootChosen: false });
});

test.each([
  ['a socket over a stored port', ['--socket', 's'], { port: '9000', cert: 'c', key: 'k' }, {}, 's', 8080],
  ['a port over a stored socket', ['--port', '1'], { socket: '/s' }, {}, null, 1],
  ['an address over a stored socket', ['--address', '::'], { socket: '/s' }, {}, null, 8080],
  ['a socket over a port of the environment', ['--socket', 's'], {}, { FILESTEAD_PORT: '2' }, 's', 8080],
  ['no socket over a stored one', ['--socket', ''], { socket: '/s' }, {}, null, 8080],
  ['the stored port without a socket', ['--socket', ''], { port: '9000' }, {}, null, 9000],
] as const)(
  'the source with the higher precedence decides where the server listens: %s',
  async (_title, args, stored, env, socket, port) => {
    const sources = { args, env, cwd: folder, home: folder, readStored: () => stored };
    const config = await readConfig(sources);
    expect(config).toMatchObject({ socket: socket === null ? null : join(folder, socket), port });
    if (socket !== null) expect(config).toMatchObject({ certFile: null, keyFile: null });
  },
);

test('a socket and a port of one source exclude each other, as do a socket and a stronger certificate', async () => {
  const sources = { args: [], env: {}, cwd: folder, home: folder };
  const both = readConfig({ ...sources, readStored: () => ({ socket: '/s', port: '1' }) });
  await expect(both).rejects.toThrow('the database: socket: cannot be combined with port');
  const certificate = readConfig({ ...sources, args: ['--cert', 'c'], readStored: () => ({ socket: '/s' }) });
  await expect(certificate).rejects.toThrow('the database: socket: cannot be combined with cert');
});

test('the served folder can be given without --root', async () => {
  await mkdir(join(folder, 'photos'));
  for (const args of [['photos'], ['photos', '--port', '1'], ['--enableExec', 'on', 'photos']]) {
    expect(await read(args)).toMatchObject({
      root: join(folder, 'photos'),
      isRootChosen: true,
      data: join(folder, 'photos', '.filestead'),
    });
  }
  await writeFile(join(folder, '.filestead.yaml'), 'root: /elsewhere\n');
  expect((await read(['./photos'])).root).toBe(join(folder, 'photos'));
});

test('a missing folder, a file, two folders and a folder beside --root are refused with the reason', async () => {
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'file'), '');
  for (const [args, message] of [
    [['nowhere'], 'there is no command and no folder “nowhere”; see: filestead help'],
    [[''], 'there is no command and no folder “”; see: filestead help'],
    [['user', 'ls'], 'there is no command and no folder “user”; see: filestead help'],
    [['file'], '“file” is a file; give the folder to serve; see: filestead help'],
    [['photos', 'home'], 'one folder can be served, not both “photos” and “home”; see: filestead help'],
    [['photos', '--root', 'home'], 'give the folder once: “photos” or --root, not both'],
  ] as const) {
    await expect(read([...args])).rejects.toThrow(message);
  }
});
