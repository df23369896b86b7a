import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '../../e2e/support/free-port.ts';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { asMs, median, type Row, rowWithin } from '../measure.ts';

const run = promisify(execFile);

const build = process.env['FILESTEAD_BUILD'] ?? join(import.meta.dirname, '..', '..');
const program = join(build, 'server', 'dist', 'main.js');
const filler = join(import.meta.dirname, '../../server/test/trash/fill-trash.ts');

/** Entries of the trash that make the database about 43 MB large. */
const fillingEntries = 140_000;
const backups = 20;
const writesPerSecond = 50;
/** Few of the writes create shares, because a user may have only 1,000 of them. */
const writesPerShare = 50;
const limits = {
  backupMs: 1_000,
  lagMs: 20,
  healthcheckMs: 100,
  liveMs: 5,
  metricsMs: 5,
  series: 300,
} as const;

/** Returns the Node that runs the commands of the packages: this one, or that of the archives and the image if this one is too old. */
async function findNode(): Promise<string> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'lib', 'node-binary.mjs');
  const { nodeForPackages } = (await import(pathToFileURL(script).href)) as {
    nodeForPackages(): string | Promise<string>;
  };
  return nodeForPackages();
}

/** Runs a command of the program with `node`. Returns its output and its duration in milliseconds. */
async function command(node: string, ...args: string[]): Promise<{ text: string; ms: number }> {
  const started = performance.now();
  const { stdout } = await run(node, [program, ...args]);
  return { text: stdout, ms: performance.now() - started };
}

/** Requests `url` several times. Returns the median in milliseconds and the last text. */
async function request(url: string, times: number): Promise<{ text: string; ms: number }> {
  const all: number[] = [];
  let text = '';
  for (let turn = 0; turn < times; turn++) {
    const started = performance.now();
    text = await (await fetch(url)).text();
    all.push(performance.now() - started);
  }
  return { text, ms: median(all) };
}

/** Creates folders and shares, {@link writesPerSecond} times per second until stopped. Counts the shares. */
function writeContinuously(
  { url }: Product,
  token: string,
): { shares(): { begun: number; done: number }; stop(): Promise<void> } {
  let [begun, done] = [0, 0];
  const stopping = new AbortController();
  const post = async (path: string): Promise<void> => {
    const headers = { 'X-Auth': token, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers });
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const createShare = async (): Promise<void> => {
    begun += 1;
    await post('/api/share/shared.txt');
    done += 1;
  };
  const ended = (async () => {
    const writes: Promise<void>[] = [];
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      writes.push(turn % writesPerShare === 0 ? createShare() : post(`/api/resources/folder ${turn}/`));
      await sleep(1_000 / writesPerSecond);
    }
    await Promise.all(writes);
  })();
  // A failure ends the measurement when it stops.
  ended.catch(() => undefined);
  return {
    shares: () => ({ begun, done }),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Returns a delay of the event loop from the text of the metrics, in milliseconds. */
function lagOf(metrics: string, quantile: string): number {
  const found = new RegExp(`event_loop_lag_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(metrics);
  return Number(found?.[1]) * 1_000;
}

/** Makes backups while the server writes. Throws if one lacks a share that existed before it, or has one that did not exist yet. */
async function measureBackups(
  product: Product,
  {
    node,
    token,
    data,
    to,
    metricsUrl,
  }: { node: string; token: string; data: string; to: string; metricsUrl: string },
): Promise<{ ms: number; lagMs: number; lagBeforeMs: number }> {
  const times: number[] = [];
  const lags: number[] = [];
  const writes = writeContinuously(product, token);
  let lagBeforeMs = 0;
  try {
    await fetch(metricsUrl).then((response) => response.arrayBuffer());
    await sleep(5_000);
    lagBeforeMs = lagOf(await (await fetch(metricsUrl)).text(), '0.99');
    for (let turn = 0; turn < backups; turn++) {
      const file = join(to, `${turn}.tar.gz`);
      await fetch(metricsUrl).then((response) => response.arrayBuffer());
      const before = writes.shares().done;
      const { ms } = await command(node, 'backup', '--data', data, '--to', file);
      const after = writes.shares().begun;
      const metrics = await (await fetch(metricsUrl)).text();
      times.push(ms);
      lags.push(lagOf(metrics, '0.99'));
      const { text } = await command(node, 'restore', file, '--data', join(to, 'data'), '--dry-run');
      const saved = Number(/ and (\d+) links? of/.exec(text)?.[1]);
      if (!(saved >= before && saved <= after)) {
        throw new Error(`a backup has ${saved} links, and there were ${before} to ${after}: ${text}`);
      }
      await rm(file);
    }
  } finally {
    await writes.stop();
  }
  return { ms: median(times), lagMs: median(lags), lagBeforeMs };
}

/** Measures backups of a database of 43 MB while the server writes to it, health checks and metrics. */
export async function measureOperations(root: string): Promise<Row[]> {
  const node = await findNode();
  const folder = await mkdtemp(join(tmpdir(), 'filestead-bench-operations-'));
  const [data, to] = [join(folder, 'data'), join(folder, 'backups')];
  for (const path of [data, to]) await mkdir(path, { mode: 0o700 });
  await writeFile(join(root, 'shared.txt'), 'shared');
  const first = await startProduct(root, { data });
  await first.stop();
  const database = join(data, 'filestead.db');
  await run(process.execPath, ['--import', 'tsx', filler, database, `${fillingEntries}`]);
  const megabytes = (await stat(database)).size / 1e6;
  const metricsPort = await findFreePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const product = await startProduct(root, { data, args: ['--metricsAddress', `127.0.0.1:${metricsPort}`] });
  try {
    const token = await signInByApi({ ...product, password: first.password });
    const live = await request(`${product.url}/health/live`, 100);
    const metrics = await request(metricsUrl, 20);
    const checks: number[] = [];
    const empty: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const { ms } = await command(node, 'healthcheck', '--data', data, '--port', new URL(product.url).port);
      checks.push(ms);
      const started = performance.now();
      await run(node, ['--eval', '0']);
      empty.push(performance.now() - started);
    }
    const { ms, lagMs, lagBeforeMs } = await measureBackups(product, { node, token, data, to, metricsUrl });
    const series = metrics.text.split('\n').filter((line) => /^\w/.test(line)).length;
    const title = `${backups} backups of ${Math.round(megabytes)} MB at ${writesPerSecond} writes per second`;
    return [
      rowWithin(`${title}, each complete: median`, ms, limits.backupMs),
      rowWithin(`${title}: event loop, 99th percentile`, lagMs, limits.lagMs, {
        note: `${asMs(lagBeforeMs)} without`,
      }),
      rowWithin('healthcheck', median(checks), limits.healthcheckMs, {
        note: `an empty Node process: ${asMs(median(empty))}`,
      }),
      rowWithin('/health/live', live.ms, limits.liveMs),
      rowWithin('/metrics', metrics.ms, limits.metricsMs),
      rowWithin('series of /metrics after the start', series, limits.series, { format: String }),
    ];
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
