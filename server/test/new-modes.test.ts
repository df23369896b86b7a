import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client } from './faults/client.ts';
import { type Build, type RealServer, buildServer, startRealServer } from './faults/real-server.ts';
import { startApp } from './start-app.ts';

let build: Build;
beforeAll(async () => {
  build = await buildServer();
}, 120_000);
afterAll(() => build.remove());

let top: string;
let root: string;
let server: RealServer | null;
let client: Client;
beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'filestead-modes-')));
  root = join(top, 'root');
  fs.mkdirSync(root, { mode: 0o755 });
  fs.mkdirSync(join(top, 'data'), { mode: 0o700 });
  server = null;
});
afterEach(async () => {
  await server?.stop();
  fs.rmSync(top, { recursive: true, force: true });
});

/** Starts the product with a umask that is set by a shell. */
async function start(umask: string, ...args: string[]): Promise<void> {
  const wrapper = ['/bin/sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
  server = await startRealServer({ main: build.main, root, data: join(top, 'data'), args, wrapper });
  client = new Client();
  client.url = server.url;
  client.token = await client.signIn();
}

const modeOf = (path: string): string => (fs.statSync(join(root, path)).mode & 0o7777).toString(8);

/** Creates entries in the folder `at` by every kind of request. Returns their modes. */
async function makeAll(at = ''): Promise<{ files: Record<string, string>; folders: Record<string, string> }> {
  fs.writeFileSync(join(root, at, 'old.txt'), 'o');
  fs.chmodSync(join(root, at, 'old.txt'), 0o604);
  fs.mkdirSync(join(root, at, 'tree'));
  fs.writeFileSync(join(root, at, 'tree/open.txt'), 'o');
  fs.chmodSync(join(root, at, 'tree/open.txt'), 0o666);
  fs.chmodSync(join(root, at, 'tree'), 0o777);

  const resource = (name: string): string => `/resources/${at}${name}`;
  await client.call('POST', resource('upload.txt'), { body: 'u' });
  await client.call('POST', resource('made/on/the/way.txt'), { body: 'w' });
  await client.call('POST', resource('folder/'));
  await client.call('PUT', resource('old.txt'), { body: 'saved' });
  await client.call('POST', `/tus/${at}tus.txt`, {
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '3' },
  });
  await client.call('PATCH', `/tus/${at}tus.txt`, {
    body: 'tus',
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
  });
  const copy = (from: string, to: string, more = ''): Promise<Response> =>
    client.call(
      'PATCH',
      `${resource(from)}?action=copy&destination=${encodeURIComponent(`/${at}${to}`)}${more}`,
    );
  await copy('tree', 'copied');
  await copy('upload.txt', 'copy.txt');
  await copy('upload.txt', 'old.txt', '&override=true');
  const modes = (names: string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, modeOf(`${at}${name}`)]));
  return {
    files: modes(['upload.txt', 'made/on/the/way.txt', 'tus.txt', 'copy.txt', 'copied/open.txt', 'old.txt']),
    folders: modes(['made', 'made/on', 'made/on/the', 'folder', 'copied']),
  };
}

const all = (names: readonly string[], mode: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, mode]));
const newFiles = ['upload.txt', 'made/on/the/way.txt', 'tus.txt', 'copy.txt'];
const newFolders = ['made', 'made/on', 'made/on/the', 'folder'];

/** Expects that no other user of the system can read or write anything in the data folder. */
function expectPrivateData(): void {
  for (const entry of fs.readdirSync(join(top, 'data'), { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    expect([place, fs.statSync(place).mode & 0o077]).toEqual([place, 0]);
  }
}

describe('permission bits of new entries', () => {
  test('are 0644 and 0755 when the server inherits a umask of 000', async () => {
    await start('000');
    const { files, folders } = await makeAll();
    expect(files).toEqual({ ...all(newFiles, '644'), 'copied/open.txt': '664', 'old.txt': '604' });
    expect(folders).toEqual({ ...all(newFolders, '755'), copied: '775' });
    expectPrivateData();
  });

  test('follow an inherited umask that is not world-writable', async () => {
    await start('002');
    const { files, folders } = await makeAll();
    expect(files).toMatchObject(all(newFiles, '664'));
    expect(folders).toMatchObject(all(newFolders, '775'));
  });

  test('follow --umask, also for copies', async () => {
    await start('000', '--umask=027');
    const { files, folders } = await makeAll();
    expect(files).toEqual({ ...all([...newFiles, 'copied/open.txt'], '640'), 'old.txt': '604' });
    expect(folders).toEqual(all([...newFolders, 'copied'], '750'));
    expectPrivateData();
  });

  test('are exactly those of --fileMode and --dirMode, regardless of the umask', async () => {
    await start('077', '--fileMode=0660', '--dirMode=0770');
    const { files, folders } = await makeAll();
    expect(files).toEqual({ ...all([...newFiles, 'copied/open.txt'], '660'), 'old.txt': '604' });
    expect(folders).toEqual(all([...newFolders, 'copied'], '770'));
    expectPrivateData();
  });

  test.each([
    ['--dirMode=0750', '2750'],
    ['--umask=027', '2750'],
  ])('keep the setgid bit that a folder inherits, with %s', async (option, expected) => {
    fs.mkdirSync(join(root, 'team'));
    fs.chmodSync(join(root, 'team'), 0o2770);
    await start('022', option);
    const { folders } = await makeAll('team/');
    expect(folders).toEqual(all([...newFolders, 'copied'], expected));
  });

  test('are world-writable only when configured, and a warning is logged', async () => {
    await start('022', '--umask=000');
    const { files, folders } = await makeAll();
    expect(files).toMatchObject(all(newFiles, '666'));
    expect(folders).toMatchObject(all(newFolders, '777'));
    expect(server?.output()).toContain('lets everybody on this machine write new files');
    expectPrivateData();
  });
});

test.each([
  ['fileMode', '4755'],
  ['fileMode', '1644'],
  ['fileMode', '0444'],
  ['fileMode', '0o640'],
  ['fileMode', 'rw-r--r--'],
  ['dirMode', '0644'],
  ['dirMode', '4755'],
  ['dirMode', '75'],
  ['umask', '777'],
  ['umask', '0227'],
  ['umask', '8'],
])('--%s %s is rejected with the expected format', async (name, value) => {
  await expect(startApp({ config: { [name]: value } })).rejects.toThrow(`--${name}: expected`);
});
