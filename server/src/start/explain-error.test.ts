import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { accessSync, mkdirSync, openSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explainError, explainPath } from './explain-error.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-explain-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns the error thrown by `act`. */
function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** An error of the operating system that cannot be provoked here. */
const systemError = (fields: Record<string, unknown>): Error => Object.assign(new Error('raw'), fields);

/** Returns the error of a server that fails to listen there. */
const listenError = (
  server: Server,
  where: { port: number; host: string } | { path: string },
): Promise<Error> =>
  new Promise((resolve, reject) => {
    server.once('error', resolve);
    server.listen(where, () => reject(new Error('the server listens')));
  });

test("errors of files contain the path and the reason instead of the system's message", async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink('loop', join(folder, 'loop'));
  await mkdir(join(folder, 'folder'));
  const cases: [unknown, string][] = [
    [errorOf(() => openSync(join(folder, 'nothing'), 'r')), `${folder}/nothing: it does not exist`],
    [
      errorOf(() => openSync(join(folder, 'folder'), 'w')),
      `${folder}/folder: a file is needed, and this is a folder`,
    ],
    [errorOf(() => mkdirSync(join(folder, 'file', 'x'))), 'a part of the path is a file instead of a folder'],
    [errorOf(() => mkdirSync(join(folder, 'file'))), 'a file has the name of the folder'],
    [errorOf(() => accessSync(join(folder, 'loop'))), 'the symbolic links of the path form a loop'],
  ];
  for (const [error, text] of cases) {
    expect(explainError(error)).toContain(text);
    expect(explainError(error)).not.toMatch(/\bE[A-Z]{3,}/);
  }
});

test('a denied access reports the owner of the nearest folder and the account of the process', () => {
  const error = systemError({ code: 'EACCES', syscall: 'mkdir', path: join(folder, 'data', 'deep') });
  expect(explainPath('data', join(folder, 'data', 'deep'), error)).toMatch(
    /^data: .*\/data\/deep: access is denied: \S*filestead-explain-\S+ belongs to (?:root|user \d+) \(mode 700\) and this process runs as \S+ \(\d+\); start it as the owner, or change the owner with chown$/,
  );
});

test('a port and a socket in use are reported with what to do', async () => {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const address = first.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    expect(explainError(await listenError(createServer(), { port, host: '127.0.0.1' }))).toBe(
      `port ${port}: another program uses it on 127.0.0.1; stop that, or choose another port with --port`,
    );
  } finally {
    first.close();
  }
  const path = join(folder, 'socket');
  await writeFile(path, '');
  expect(explainError(await listenError(createServer(), { path }))).toBe(
    `socket: ${path} is in use; stop the program that uses it, or choose another path with --socket`,
  );
});

test('an address of another machine, an unknown host name and a privileged port are reported', async () => {
  expect(explainError(await listenError(createServer(), { port: 0, host: '192.0.2.1' }))).toBe(
    'address: this machine does not have the address 192.0.2.1; choose another one with --address',
  );
  expect(
    explainError(systemError({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere.invalid' })),
  ).toBe('address: nowhere.invalid cannot be found; choose another one with --address');
  const denied = systemError({ code: 'EACCES', syscall: 'listen', address: '127.0.0.1', port: 80 });
  const advice =
    process.platform === 'linux' ? '--port 8080, or let systemd open it (filestead.socket)' : '--port 8080';
  expect(explainError(denied)).toMatch(
    /^port 80: \S+ \(\d+\) may not open it; ports below 1024 are usually for root only\. Choose a higher one, such as /,
  );
  expect(explainError(denied).endsWith(advice)).toBe(true);
});

test('other errors keep their message', () => {
  expect(explainError(new Error('plain'))).toBe('plain');
  expect(explainError('text')).toBe('text');
  expect(explainError(systemError({ code: 'ESTRANGE', syscall: 'open', path: '/x' }))).toBe('raw');
});
