import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { type Unpacked, hasTool, unpack } from '../../test/fixtures/archive-reading.ts';

/** The modification time of the files in `modes`. */
const modified = new Date('2021-06-05T04:03:02Z');
const names = [
  'plain.txt',
  'with space.txt',
  'Grüße.txt',
  '日本語.txt',
  'עברית.txt',
  'العربية.txt',
  'e\u0301 decomposed.txt',
  '😀.txt',
  'a,b.txt',
  '100%+1.txt',
  '--checkpoint-action=exec=touch marker',
  '-TTtouch marker',
  '$(touch marker)',
  'quote\'"`.txt',
  'line\nbreak.txt',
];
const longFolder = `/${'f'.repeat(200)}/${'o'.repeat(200)}/${'日'.repeat(70)}`;
let app: TestApp;
let admin: string;

beforeAll(async () => {
  app = await startApp({
    files: {
      ...Object.fromEntries(names.map((name) => [`/names/${name}`, name])),
      [`/long${longFolder}/end.txt`]: 'end',
      '/odd/..\\..\\evil.sh': 'evil',
      '/odd/a\\b': 'backslash',
      '/odd/a_b': 'underscore',
      '/odd/C:\\x': 'drive',
      '/modes/run.sh': 'run',
      '/modes/secret.txt': 'secret',
      '/links/target.txt': 'target',
      '/links/folder/inner.txt': 'inner',
      '/docs/ok.txt': 'ok',
      '/docs/secret/deny.txt': 'canary-deny',
      '/docs/.dot/hidden.txt': 'canary-hidden',
      '/docs/sub/a.txt': 'a',
      '/docs/sub/b.txt': 'b',
      '/home/bob/own.txt': 'own',
      '/home/eve/own.txt': 'canary-eve',
    },
    users: [
      { username: 'alice' },
      { username: 'viewer', perm: { download: false } },
      { username: 'ruled', rules: [{ path: '/docs/secret' }] },
      { username: 'tidy', hideDotfiles: true },
      { username: 'bob', scope: '/home/bob' },
    ],
  });
  const at = (path: string): string => join(app.root, path);
  await chmod(at('modes/run.sh'), 0o4755);
  await chmod(at('modes/secret.txt'), 0o600);
  for (const path of ['modes/run.sh', 'modes/secret.txt', 'modes'])
    await utimes(at(path), modified, modified);
  await symlink('target.txt', at('links/file-link'));
  await symlink('folder', at('links/folder-link'));
  await symlink('.', at('links/circle'));
  await symlink('missing', at('links/broken'));
  await symlink('/etc/passwd', at('links/outside'));
  await symlink('/', at('links/outside-folder'));
  await symlink('/etc', at('home/bob/etc'));
  await symlink('../eve', at('home/bob/neighbor'));
  await symlink('../docs/secret', at('links/to-secret'));
  execFileSync('mkfifo', [at('links/pipe')]);
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const get = (path: string, token = admin): Promise<Response> => app.fetch(`/api/raw${path}`, { token });
async function tree(path: string, token = admin): Promise<Map<string, Unpacked>> {
  const response = await get(path, token);
  expect(response.status, path).toBe(200);
  const kind = /algo=tar/.test(path) ? 'tar' : 'zip';
  return unpack(Buffer.from(await response.arrayBuffer()), kind);
}
const nameOfDownload = async (path: string, token = admin): Promise<string> => {
  const response = await get(path, token);
  await response.arrayBuffer();
  expect(response.status, path).toBe(200);
  const [, name = ''] =
    /filename\*=utf-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return decodeURIComponent(name);
};
const sorted = (found: Map<string, Unpacked>): string[] => [...found.keys()].sort();

describe.skipIf(!hasTool('unzip')).each(['zip', 'tar'])('an archive in the format %s', (algo) => {
  test('keeps names of every script and executes nothing in them', async () => {
    const found = await tree(`/names?algo=${algo}`);
    // `unzip` does not create names with control characters.
    const isExtracted = (name: string): boolean => algo === 'tar' || !/\n|^linebreak/.test(name);
    expect(sorted(found).filter(isExtracted)).toEqual([...names].filter(isExtracted).sort());
    for (const name of names.filter(isExtracted))
      expect(found.get(name)?.content).toBe(Buffer.from(name).toString('latin1'));
  });

  test('keeps names longer than a classic header', async () => {
    const found = await tree(`/long?algo=${algo}`);
    expect(found.get(`${longFolder.slice(1)}/end.txt`)?.content).toBe('end');
  });

  test('writes no name that leaves the target folder on any system, and drops none', async () => {
    const found = await tree(`/odd?algo=${algo}`);
    expect(sorted(found)).toEqual(['.._.._evil.sh', 'C__x', 'a_b', 'a_b(1)']);
    expect(found.get('a_b')?.content).toBe('underscore');
    expect(found.get('a_b(1)')?.content).toBe('backslash');
  });

  test('keeps permission bits and times, and clears setuid, setgid and sticky bits', async () => {
    const found = await tree(`/modes?algo=${algo}`);
    expect(found.get('run.sh')).toMatchObject({ mode: 0o755, modified: modified.getTime() / 1000 });
    expect(found.get('secret.txt')).toMatchObject({ mode: 0o600, modified: modified.getTime() / 1000 });
    const outer = await tree(`/?files=modes,names&algo=${algo}`);
    expect(outer.get('modes')?.modified).toBe(modified.getTime() / 1000);
  });

  test('follows internal links once and omits external links and special files', async () => {
    const token = await app.signIn('ruled');
    const found = await tree(`/links?algo=${algo}`, token);
    expect(sorted(found)).toEqual([
      'file-link',
      'folder',
      'folder-link',
      'folder-link/inner.txt',
      'folder/inner.txt',
      'target.txt',
    ]);
    expect(found.get('file-link')?.content).toBe('target');
    // The rules of the target apply to a link.
    expect((await tree(`/links?algo=${algo}`)).get('to-secret/deny.txt')?.content).toBe('canary-deny');
  });

  test('omits entries that are denied by rules or hidden, with their content', async () => {
    const all = [
      '.dot',
      '.dot/hidden.txt',
      'ok.txt',
      'secret',
      'secret/deny.txt',
      'sub',
      'sub/a.txt',
      'sub/b.txt',
    ];
    expect(sorted(await tree(`/docs?algo=${algo}`))).toEqual(all);
    const ruled = await app.signIn('ruled');
    expect(sorted(await tree(`/docs?algo=${algo}`, ruled))).toEqual(
      all.filter((name) => !name.startsWith('secret')),
    );
    const tidy = await app.signIn('tidy');
    expect(sorted(await tree(`/docs?algo=${algo}`, tidy))).toEqual(
      all.filter((name) => !name.startsWith('.')),
    );
  });

  test('never leaves the scope', async () => {
    const bob = await app.signIn('bob');
    expect(sorted(await tree(`/?algo=${algo}`, bob))).toEqual(['own.txt']);
  });
});

test('an archive omits a socket in the folder', async () => {
  await mkdir(join(app.root, 'sockets'));
  const server = createServer().listen(join(app.root, 'sockets', 's'));
  await writeFile(join(app.root, 'sockets', 'file'), 'x');
  try {
    expect(sorted(await tree('/sockets?algo=tar'))).toEqual(['file']);
  } finally {
    server.close();
  }
});

describe('several files', () => {
  test.each([
    ['/?files=docs%2Fok.txt,names&algo=tar', ['docs/ok.txt', 'names']],
    ['/docs?files=ok.txt,sub&algo=tar', ['ok.txt', 'sub']],
    ['/docs?files=%2Fok.txt,%2Fsub&algo=tar', ['ok.txt', 'sub']],
    ['/docs?files=sub%2Fa.txt,sub%2Fb.txt&algo=tar', ['a.txt', 'b.txt']],
    ['/docs?files=sub,sub,sub%2Fa.txt,ok.txt&algo=tar', ['ok.txt', 'sub']],
    ['/docs?files=ok.txt&algo=tar', ['ok.txt']],
    ['/docs?files=,,ok.txt,&algo=tar', ['ok.txt']],
    ['/docs?files=sub&algo=tar', ['a.txt', 'b.txt']],
    ['/docs/sub?files=&algo=tar', ['a.txt', 'b.txt']],
    ['/docs/sub?files=,&algo=tar', ['a.txt', 'b.txt']],
  ])('requested as %s are packed as %j', async (path, expected) => {
    const found = sorted(await tree(path));
    for (const name of expected) expect(found).toContain(name);
    const tops = new Set(found.map((name) => name.split('/')[0]));
    expect([...tops].sort()).toEqual([...new Set(expected.map((name) => name.split('/')[0]))].sort());
  });

  test('are decoded once more after the list is split', async () => {
    const listed = ['a,b.txt', '100%+1.txt', '日本語.txt'];
    const files = encodeURIComponent(listed.map(encodeURIComponent).join(','));
    expect(sorted(await tree(`/names?files=${files}&algo=tar`))).toEqual([...listed].sort());
  });

  test.each([
    ['/docs', 'docs.zip'],
    ['/docs?algo=tarlz4', 'docs.tar.lz4'],
    ['/?files=docs,names', '_root.zip'],
    ['/docs?files=ok.txt,sub&algo=tar', '_docs.tar'],
    ['/?files=docs%2Fsub%2Fa.txt,docs%2Fok.txt&algo=tar', '_docs.tar'],
    ['/docs?files=ok.txt', 'ok.txt.zip'],
    ['/?files=names', 'names.zip'],
    ['/?algo=tar', 'root.tar'],
  ])('requested as %s are downloaded as %s', async (path, name) => {
    expect(await nameOfDownload(path)).toBe(name);
  });

  test('at the root of a scope are named after its folder on the disk', async () => {
    expect(await nameOfDownload('/?algo=tar', await app.signIn('bob'))).toBe('bob.tar');
  });

  test.each([
    ['/docs?files=..', 400],
    ['/docs?files=%252e%252e%252fnames', 400],
    ['/docs?files=ok.txt,%2E%2E%2Fnames', 400],
    ['/docs?files=%25zz', 400],
    ['/docs?files=missing', 404],
    ['/docs?files=ok.txt,missing', 404],
    ['/missing/', 404],
    ['/links?files=pipe,target.txt', 403],
    ['/links?files=outside,target.txt', 403],
    ['/links?files=outside-folder', 403],
    ['/home/bob/etc/', 403],
  ])('requested as %s are refused with %d', async (path, status) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('root:');
  });

  test('are never taken from another scope with a common prefix', async () => {
    const bob = await app.signIn('bob');
    for (const files of [
      'home%2Feve%2Fown.txt',
      '%2Fhome%2Feve%2Fown.txt',
      'neighbor%2Fown.txt',
      'neighbor',
    ]) {
      const response = await get(`/?files=own.txt,${files}&algo=tar`, bob);
      // The link to the neighbor leads out of the scope; the other names do not exist in it.
      expect(response.status, files).toBe(files.startsWith('neighbor') ? 403 : 404);
      expect(await response.text()).not.toContain('canary');
    }
  });
});

test('refuses a denied path whether or not it exists, and serves it to users who may read it', async () => {
  const ruled = await app.signIn('ruled');
  for (const path of [
    '/docs/secret/',
    '/docs/secret?algo=tar',
    '/docs?files=ok.txt,secret',
    '/docs?files=secret%2Fnone',
  ]) {
    expect((await get(path, ruled)).status, path).toBe(403);
  }
  const link = await get('/links?files=to-secret&algo=tar', ruled);
  expect(link.status).toBe(403);
  expect(sorted(await tree('/docs/secret?algo=tar'))).toEqual(['deny.txt']);
});

test('sends no byte of an archive without the permission to download', async () => {
  const viewer = await app.signIn('viewer');
  const alice = await app.signIn('alice');
  for (const path of [
    '/docs',
    '/docs/?algo=tar',
    '/docs?files=ok.txt',
    '/docs?algo=tarxz',
    '/docs?files=missing',
  ]) {
    const response = await get(path, viewer);
    expect(response.status, path).toBe(403);
    expect(await response.text()).toBe('403 Forbidden\n');
  }
  expect((await get('/docs?algo=tar', alice)).status).toBe(200);
  expect((await app.fetch('/api/raw/docs')).status).toBe(401);
});

test('packs folders that are nested two thousand deep', async () => {
  const depth = 2000;
  execFileSync('python3', [
    '-c',
    `import os\nos.chdir(${JSON.stringify(app.root)})\nos.mkdir("deep");os.chdir("deep")\nfor i in range(${depth}):\n  os.mkdir("d");os.chdir("d")\nopen("end","w").write("end")`,
  ]);
  const response = await get('/deep?algo=tar');
  const listed = execFileSync('tar', ['--list', '--file', '-'], {
    input: Buffer.from(await response.arrayBuffer()),
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(listed.toString().trimEnd().split('\n').at(-1)).toBe(`${'d/'.repeat(depth)}end`);
});
