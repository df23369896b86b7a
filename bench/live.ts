import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FolderChanges } from '../contract/src/endpoints/live.ts';
import { createUser } from '../e2e/support/api.ts';
import { type Product, signInByApi } from '../e2e/support/product.ts';
import { makeFiles } from './files.ts';
import { percentile, type Row, rowWithin } from './measure.ts';

/** The number of entries of the open folder, and of the windows that show it. */
const entries = 100_000;
const windows = 200;
/** The maximum number of streams of one user. */
const windowsPerUser = 20;
/** The number of single changes that are measured, and the time between two of them (milliseconds). */
const changes = 100;
const changeIntervalMs = 100;
const burstFiles = 20_000;
/**
 * Limits in milliseconds: the 95th percentile of single changes, the slowest of them, a burst, and the slowest other response during the
 * burst.
 */
const limits = { p95: 300, slowest: 1_000, burst: 3_000, response: 1_000 } as const;

/** Follows a folder as a window does, and calls `onChanges` for each event of it. Returns the function that closes the window. */
async function openWindow(
  { url }: Product,
  token: string,
  path: string,
  onChanges: (changed: FolderChanges) => void,
): Promise<() => void> {
  const controller = new AbortController();
  const headers = { 'X-Auth': token };
  const response = await fetch(`${url}/api/live`, { headers, signal: controller.signal });
  const { body } = response;
  if (!response.ok || body === null) throw new Error(`no stream: ${response.status}`);
  let receiveFeed: (feed: string) => void = () => undefined;
  const feed = new Promise<string>((resolve) => (receiveFeed = resolve));
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1] ?? '{}';
        if (event === 'hello') receiveFeed((JSON.parse(data) as { feed: string }).feed);
        if (event === 'folder') onChanges(JSON.parse(data) as FolderChanges);
      }
    }
  };
  read().catch(() => undefined);
  const followed = await fetch(`${url}/api/live/${await feed}`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ folders: [{ path, version: `at-${Date.now()}` }] }),
  });
  if (!followed.ok) throw new Error(`not followed: ${followed.status}`);
  return () => controller.abort();
}

/** Waits until a condition is true, for `timeoutMs` at most. */
async function waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!isTrue() && performance.now() < end) await sleep(5);
}

/** Runs a shell script, as a program other than the server. Resolves when it has ended. */
const runOutside = (script: string, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    spawn('sh', ['-c', script], { cwd: folder, stdio: 'ignore' }).once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the other program ended with ${code}`));
    });
  });

/** The delays of single changes by another program until each of all windows has them (milliseconds). */
async function measureChanges(product: Product, token: string, root: string): Promise<number[]> {
  const folder = join(root, 'live');
  await makeFiles(folder, entries, '');
  const createdAt = new Map<string, number>();
  const delays: number[] = [];
  const close: (() => void)[] = [];
  for (let user = 0; user < windows / windowsPerUser; user++) {
    const username = `window${user}`;
    const password = 'a long password for windows';
    await createUser(product, token, { username, password, scope: '/' });
    const userToken = await signInByApi(product, username, password);
    for (let count = 0; count < windowsPerUser; count++) {
      const stop = await openWindow(product, userToken, '/live', ({ changed = [] }) => {
        for (const [name] of changed) {
          const atMs = createdAt.get(name);
          if (atMs !== undefined) delays.push(performance.now() - atMs);
        }
      });
      close.push(stop);
    }
  }
  for (let index = 0; index < changes; index++) {
    const name = `new ${index}`;
    createdAt.set(name, performance.now());
    await writeFile(join(folder, name), '');
    await sleep(changeIntervalMs);
  }
  await waitUntil(() => delays.length >= changes * windows, 10_000);
  for (const stop of close) stop();
  await rm(folder, { recursive: true });
  // Changes that have not arrived count as infinitely late.
  return [
    ...delays,
    ...Array.from({ length: Math.max(0, changes * windows - delays.length) }, () => Infinity),
  ];
}

/** The time from the end of a burst until the client has listed all files, and the slowest other response in this time. */
async function measureBurst(
  product: Product,
  token: string,
  root: string,
): Promise<{ burstMs: number; responseMs: number }> {
  const folder = join(root, 'burst');
  await mkdir(folder);
  /** The names that the client shows. */
  const shown = new Set<string>();
  let isListing = false;
  let isDue = false;
  const list = async (): Promise<void> => {
    isDue = true;
    if (isListing) return;
    isListing = true;
    while (isDue) {
      isDue = false;
      const response = await fetch(`${product.url}/api/resources/burst/`, {
        headers: { 'X-Auth': token, Accept: 'application/x-ndjson' },
      });
      // Between the header and the end line.
      for (const line of (await response.text()).split('\n').slice(1, -2))
        shown.add((JSON.parse(line) as [string])[0]);
    }
    isListing = false;
  };
  const close = await openWindow(product, token, '/burst', ({ again, changed = [] }) => {
    if (again === true) void list();
    else for (const [name] of changed) shown.add(name);
  });
  let responseMs = 0;
  const finished = new AbortController();
  const measureResponses = async (): Promise<void> => {
    while (!finished.signal.aborted) {
      const started = performance.now();
      await (await fetch(`${product.url}/health`)).text();
      responseMs = Math.max(responseMs, performance.now() - started);
      await sleep(20);
    }
  };
  const measuring = measureResponses();
  await runOutside(`seq ${burstFiles} | xargs touch`, folder);
  const ended = performance.now();
  await waitUntil(() => shown.size >= burstFiles, 30_000);
  const burstMs = shown.size >= burstFiles ? performance.now() - ended : Infinity;
  finished.abort();
  await measuring;
  close();
  await rm(folder, { recursive: true });
  return { burstMs, responseMs };
}

/** Measures how soon open folders show the changes of another program. */
export async function measureLive(product: Product, root: string): Promise<Row[]> {
  const token = await signInByApi(product);
  const delays = await measureChanges(product, token, root);
  const { burstMs, responseMs } = await measureBurst(product, token, root);
  const single = `live, a file in a folder of 100,000, ${windows} windows`;
  const burst = 'live, 20,000 files at once';
  return [
    rowWithin(`${single}, 95th percentile`, percentile(delays, 0.95), limits.p95),
    rowWithin(`${single}, slowest`, percentile(delays, 1), limits.slowest),
    rowWithin(`${burst}, until all are listed`, burstMs, limits.burst),
    rowWithin(`${burst}, slowest other response`, responseMs, limits.response),
  ];
}
