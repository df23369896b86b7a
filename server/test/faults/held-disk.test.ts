import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onlyRootMounts } from '../fixtures/mounts.ts';
import { type TestApp, startApp } from '../start-app.ts';

/** A disk below the served folder that does not respond until it is released. */
interface HeldDisk {
  /** The number of lookups that wait for a response. */
  readonly heldCount: number;
  release(): void;
  stop(): void;
}

async function mountHeldDisk(point: string): Promise<HeldDisk | null> {
  const script = join(import.meta.dirname, '..', 'fixtures', 'held-disk-process.ts');
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, point], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let heldCount = 0;
  const isMounted = await new Promise<boolean>((resolve) => {
    child.once('exit', () => resolve(false));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'mounted') resolve(true);
      else heldCount = Number(line.replace('held ', ''));
    });
  });
  if (!isMounted) return null;
  return {
    get heldCount() {
      return heldCount;
    },
    release: () => void child.stdin?.write('release\n'),
    stop: () => {
      child.kill('SIGKILL');
      spawnSync('umount', ['-l', point]);
    },
  };
}

let app: TestApp;
let disk: HeldDisk | null;
beforeEach(async () => {
  app = await startApp({ files: { '/quick/a.txt': 'quick', '/slow/': '' }, users: [{ username: 'alice' }] });
  disk = await mountHeldDisk(join(app.root, 'slow'));
});
afterEach(async () => {
  disk?.release();
  disk?.stop();
  await app.close();
});

test('requests for other files are answered while a disk does not respond', async (context) => {
  if (disk === null) return context.skip(onlyRootMounts);
  const token = await app.signIn('alice');
  const get = (path: string): Promise<Response> => app.fetch(path, { token });
  // Twice as many as Node has threads for the file system.
  const held = Array.from({ length: 8 }, () => get('/api/raw/slow/held.txt'));
  await expect.poll(() => disk?.heldCount).toBeGreaterThanOrEqual(1);
  for (let round = 0; round < 20; round++) {
    const [file, list, details] = await Promise.all([
      get('/api/raw/quick/a.txt'),
      get('/api/resources/quick/'),
      get('/api/resources/quick/a.txt'),
    ]);
    expect([file.status, list.status, details.status]).toEqual([200, 200, 200]);
    expect(await file.text()).toBe('quick');
    await Promise.all([list.arrayBuffer(), details.arrayBuffer()]);
  }
  disk.release();
  for (const response of await Promise.all(held)) {
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('held content');
  }
});

test('a client that leaves a disk that does not respond does not stop the server', async (context) => {
  if (disk === null) return context.skip(onlyRootMounts);
  const token = await app.signIn('alice');
  const leaving = new AbortController();
  const left = app.fetch('/api/raw/slow/held.txt', { token, signal: leaving.signal });
  await expect.poll(() => disk?.heldCount).toBeGreaterThanOrEqual(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect((await app.fetch('/api/raw/quick/a.txt', { token })).status).toBe(200);
});
