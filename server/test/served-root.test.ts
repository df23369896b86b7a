import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, type TestContext } from 'vitest';
import { Mounts, onlyRootMounts } from './fixtures/mounts.ts';
import { type StartApp, type TestApp, startApp } from './start-app.ts';

let mounts: Mounts;
let top: string;
let root: string;
let app: TestApp;
let token: string;
beforeEach(() => {
  mounts = new Mounts();
  top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'filestead-root-')));
  root = join(top, 'served');
  fs.mkdirSync(root);
});
afterEach(async () => {
  await app.close();
  mounts.release();
  fs.rmSync(top, { recursive: true, force: true });
});

/** Serves `root`, which may be a mount point by now. */
async function serve(setup: StartApp = {}): Promise<void> {
  app = await startApp({ ...setup, config: { root } });
  token = await app.signIn('admin');
}

const statusOf = async (path: string, method = 'GET', body?: string): Promise<number> =>
  (await app.fetch(path, { token, method, ...(body === undefined ? {} : { body }) })).status;

async function namesIn(path = '/'): Promise<string[]> {
  const response = await app.fetch(`/api/resources${path}`, { token });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
}

/** Advances the clock beyond the interval of the checks. */
const advanceCheck = (): void => app.clock.advance(1_100);

const logged = (text: string): number => app.log.filter((line) => line.includes(text)).length;

/** Expects the responses of a server whose served folder is unavailable. */
async function expectUnavailable(detail: string): Promise<void> {
  const headers = { accept: 'application/json' };
  for (const path of ['/api/resources/', '/api/usage/', '/health']) {
    const response = await app.fetch(path, { token, headers });
    expect([path, response.status]).toEqual([path, 503]);
    expect(await response.json()).toMatchObject({ code: 'storage_unavailable', detail });
  }
  expect(await statusOf('/api/resources/new.txt', 'POST', 'n')).toBe(503);
  expect(await statusOf('/api/resources/a.txt', 'PUT', 'n')).toBe(503);
  expect(await statusOf('/api/resources/a.txt', 'DELETE')).toBe(503);
}

/** Sends a body whose end waits for `finish`. */
function openUpload(path: string): { answer: Promise<Response>; finish: () => void } {
  let finish: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('begun '));
      finish = () => {
        controller.enqueue(new TextEncoder().encode('and finished'));
        controller.close();
      };
    },
  });
  const init = { method: 'POST', token, body, duplex: 'half' } as const;
  return { answer: app.fetch(path, init), finish };
}

const unfinishedIn = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => name.endsWith('.part'));

test('a disk that is mounted over the served folder is served, and nothing is written to the hidden folder', async (context: TestContext) => {
  await serve();
  fs.writeFileSync(join(root, 'hidden.txt'), 'h');
  const hidden = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  const hiddenNames = (): string[] => fs.readdirSync(`/proc/self/fd/${hidden}`).toSorted();
  try {
    const upload = openUpload('/api/resources/slow.txt');
    await expect.poll(() => unfinishedIn(root)).toHaveLength(1);
    if (!mounts.tmpfs(root)) {
      upload.finish();
      await upload.answer;
      return context.skip(onlyRootMounts);
    }
    fs.writeFileSync(join(root, 'mounted.txt'), 'm');
    // Within a second after the last check of the path.
    expect(await statusOf('/api/resources/quick.txt', 'POST', 'q')).toBe(503);
    upload.finish();
    expect((await upload.answer).status).toBe(503);
    advanceCheck();
    await statusOf('/health');
    advanceCheck();
    expect(await statusOf('/health')).toBe(200);
    expect(await namesIn()).toEqual(['mounted.txt']);
    expect(await statusOf('/api/resources/after.txt', 'POST', 'a')).toBe(200);
    expect(fs.readFileSync(join(root, 'after.txt'), 'utf8')).toBe('a');
    expect(hiddenNames()).toEqual(['hidden.txt']);
    expect(logged('no files are served')).toBe(1);
    expect(logged('the served folder was replaced by another one')).toBe(1);
  } finally {
    fs.closeSync(hidden);
  }
});

test('the folder below a mount point is not served when the disk is unmounted', async (context: TestContext) => {
  fs.writeFileSync(join(root, 'below.txt'), 'b');
  const isMounted = mounts.tmpfs(root);
  await serve();
  if (!isMounted) return context.skip(onlyRootMounts);
  fs.writeFileSync(join(root, 'a.txt'), 'a');
  expect(await namesIn()).toEqual(['a.txt']);
  mounts.detach(root);
  expect(await statusOf('/api/resources/quick.txt', 'POST', 'q')).toBe(503);
  for (let second = 0; second < 4; second++) {
    advanceCheck();
    await expectUnavailable('the disk of the served folder is not mounted');
  }
  expect(fs.readdirSync(root)).toEqual(['below.txt']);
  expect(logged('no files are served')).toBe(1);

  expect(mounts.tmpfs(root)).toBe(true);
  fs.writeFileSync(join(root, 'again.txt'), 'a');
  advanceCheck();
  expect(await statusOf('/health')).toBe(503);
  advanceCheck();
  expect(await namesIn()).toEqual(['again.txt']);
  expect(await statusOf('/api/resources/new.txt', 'POST', 'n')).toBe(200);
  expect(fs.readdirSync(root).toSorted()).toEqual(['again.txt', 'new.txt']);
});

test('a served folder that is deleted and created again is reopened', async () => {
  await serve();
  fs.mkdirSync(join(root, 'home'));
  await app.createUser({ username: 'alice', scope: '/home' });
  const alice = await app.signIn('alice');
  const aliceStatus = async (): Promise<number> =>
    (await app.fetch('/api/resources/', { token: alice })).status;
  expect(await aliceStatus()).toBe(200);
  fs.rmSync(root, { recursive: true });
  advanceCheck();
  await expectUnavailable('the served folder does not exist');
  expect(await aliceStatus()).toBe(503);
  expect(logged('no files are served')).toBe(1);

  fs.mkdirSync(join(root, 'home'), { recursive: true });
  fs.writeFileSync(join(root, 'home/new.txt'), 'n');
  advanceCheck();
  expect(await statusOf('/health')).toBe(503);
  advanceCheck();
  expect(await namesIn()).toEqual(['home']);
  // The folder of a scope is resolved again within a second.
  await expect.poll(aliceStatus).toBe(200);
  const upload = await app.fetch('/api/resources/b.txt', { token: alice, method: 'POST', body: 'b' });
  expect(upload.status).toBe(200);
  expect(fs.readdirSync(join(root, 'home')).toSorted()).toEqual(['b.txt', 'new.txt']);
});

test('a served folder that is renamed and renamed back is served again', async () => {
  await serve();
  fs.writeFileSync(join(root, 'a.txt'), 'a');
  fs.renameSync(root, `${root}-away`);
  advanceCheck();
  await expectUnavailable('the served folder does not exist');
  fs.renameSync(`${root}-away`, root);
  advanceCheck();
  expect(await namesIn()).toEqual(['a.txt']);
  expect(logged('the served folder is back')).toBe(1);
});

test('an upload is not published into a folder that is hidden by a new mount', async (context: TestContext) => {
  await serve();
  const home = join(root, 'home');
  fs.mkdirSync(home);
  const upload = openUpload('/api/resources/home/slow.txt');
  await expect.poll(() => unfinishedIn(home)).toHaveLength(1);
  const isMounted = mounts.tmpfs(home);
  upload.finish();
  const { status } = await upload.answer;
  if (!isMounted) return context.skip(onlyRootMounts);
  expect(status).toBe(503);
  expect(await namesIn('/home')).toEqual([]);
  expect(await statusOf('/api/resources/home/slow.txt', 'POST', 's')).toBe(200);
  mounts.detach(home);
  expect(fs.readdirSync(home)).toEqual([]);
});

test('an upload is published in its folder when that is renamed meanwhile', async () => {
  await serve();
  fs.mkdirSync(join(root, 'home'));
  const upload = openUpload('/api/resources/home/slow.txt');
  await expect.poll(() => unfinishedIn(join(root, 'home'))).toHaveLength(1);
  fs.renameSync(join(root, 'home'), join(root, 'renamed'));
  upload.finish();
  expect((await upload.answer).status).toBe(200);
  expect(fs.readFileSync(join(root, 'renamed/slow.txt'), 'utf8')).toBe('begun and finished');
});

test('another folder is not served when the data folder disappeared with the old one', async () => {
  app = await startApp({ config: { root, data: join(root, '.filestead') } });
  token = await app.signIn('admin');
  fs.renameSync(root, `${root}-away`);
  fs.mkdirSync(root);
  for (let second = 0; second < 3; second++) {
    advanceCheck();
    expect(await statusOf('/health')).toBe(503);
    const response = await app.fetch('/api/resources/', { token, headers: { accept: 'application/json' } });
    expect(response.status).toBe(503);
    expect(((await response.json()) as { detail: string }).detail).toContain('restart the server');
  }
  expect(fs.readdirSync(root)).toEqual([]);
});

test('the path of the served folder is checked at most once a second', async () => {
  await serve();
  advanceCheck();
  expect(await statusOf('/api/resources/')).toBe(200);
  fs.renameSync(root, `${root}-away`);
  fs.mkdirSync(root);
  expect(await statusOf('/api/resources/')).toBe(200);
  advanceCheck();
  expect(await statusOf('/api/resources/')).toBe(503);
});
