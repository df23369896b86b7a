import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { closedLoop, type LoopRequest, type LoopResult } from '../clients/closed-loop.ts';
import { asMs, median, type Row, rowWithin } from '../measure.ts';
import { listedEntries, makeRequestFiles, smallBytes, uniquePaths } from './request-files.ts';
import { measureFlushes } from '../servers/flush-rate.ts';
import type { Reference } from '../servers/reference.ts';

const connections = 16;
const secondsPerRound = 2;
/**
 * Long enough for V8 to optimize the code of a request. It does so in threads of the server: with `--trace-opt` on two cores, the
 * compilations of a download ended after 14 s, and took up to half of the processor time before.
 */
const warmUpSeconds = 16;
/** Uploads take longer, because each thread optimizes its own code. */
const uploadWarmUpSeconds = 32;
const rounds = 5;
/** Limit of the 99th percentile of the latency, in milliseconds. */
const maxP99Ms = 12;
const minUploadsPerSecond = 2_300;
/** Sizes of further folders, which are compared with an earlier build if there is one. */
const largeFolders = [500, 10_000] as const;

/** A server and the request that it is measured with. */
interface Contender {
  readonly url: string;
  readonly pid: number;
  readonly request: LoopRequest;
}

/** Measures the contenders in turns after an unmeasured round. Resolves to the median of each figure. */
async function inRounds<T extends readonly Contender[]>(
  contenders: readonly [...T],
  firstSeconds = warmUpSeconds,
): Promise<{ [K in keyof T]: LoopResult }> {
  const results: LoopResult[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { request, ...server }] of contenders.entries()) {
      const seconds = round === 0 ? firstSeconds : secondsPerRound;
      const result = await closedLoop(server, request, { connections, seconds });
      if (round > 0) results[index]?.push(result);
    }
  }
  const medianOf = (all: readonly LoopResult[], field: keyof LoopResult): number =>
    median(all.map((result) => result[field]));
  const medians = results.map((all) => ({
    requests: medianOf(all, 'requests'),
    seconds: medianOf(all, 'seconds'),
    cpuMicros: medianOf(all, 'cpuMicros'),
    p50: medianOf(all, 'p50'),
    p99: medianOf(all, 'p99'),
  }));
  // There is one result for each contender.
  return medians as { [K in keyof T]: LoopResult };
}

/** A server in a process of its own. */
interface RunningServer {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts the bare Node server on `root`; with `blocking` it reads with calls that block its event loop. */
async function startBareServer(root: string, mode: 'asynchronous' | 'blocking'): Promise<RunningServer> {
  const script = join(import.meta.dirname, '..', 'servers', 'bare-server.ts');
  // The reference collects garbage as the product does (decision 45), so that the ratio is that of the requests.
  const flags = ['--no-parallel-scavenge'];
  const child = spawn(process.execPath, [...flags, '--import', 'tsx', script, root, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the bare server did not start')));
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}

const micros = (value: number): string => `${Math.round(value)} µs`;
const rateOf = ({ requests, seconds }: LoopResult): number => requests / seconds;
const perSecond = (result: LoopResult): string => `${Math.round(rateOf(result))}/s`;
const formatResult = (result: LoopResult): string =>
  `${micros(result.cpuMicros)}, ${perSecond(result)}, p99 ${asMs(result.p99)}`;

/** The results of the same request on the product and on the references. */
interface Compared {
  readonly ours: LoopResult;
  readonly asynchronous: LoopResult;
  readonly blocking: LoopResult;
}

/**
 * Returns a row that compares processor time per request with a server that may not block either, one for the 99th percentile
 * of the latency, and one without a limit against a server that blocks.
 */
function rowsOf(measurement: string, { ours, asynchronous, blocking }: Compared, extra = ''): Row[] {
  return [
    {
      measurement,
      ours: formatResult(ours),
      reference: `bare Node ${formatResult(asynchronous)}${extra}`,
      ratio: ours.cpuMicros / asynchronous.cpuMicros,
      limit: '≤ 1.5',
    },
    rowWithin(`${measurement}: p99`, ours.p99, maxP99Ms),
    {
      measurement: `${measurement}, against a server that blocks its event loop`,
      ours: formatResult(ours),
      reference: `bare Node, blocking ${formatResult(blocking)}`,
      ratio: ours.cpuMicros / blocking.cpuMicros,
    },
  ];
}

/** Measures large folders, also with the build that `FILESTEAD_EARLIER_BUILD` names, in turns. */
async function measureLargeFolders(product: Product, token: string, root: string): Promise<Row[]> {
  const earlierBuild = process.env['FILESTEAD_EARLIER_BUILD'];
  const earlier = earlierBuild === undefined ? null : await startProduct(root, { build: earlierBuild });
  const rows: Row[] = [];
  try {
    for (const count of largeFolders) {
      const name = `folder-${count}`;
      await mkdir(join(root, name));
      for (let i = 0; i < count; i++) await writeFile(join(root, name, `IMG_${i} holiday.txt`), '');
      const path = `/api/resources/${name}/`;
      const { url, pid } = product;
      const now = { url, pid, request: { path, headers: { 'X-Auth': token } } };
      const measurement = `list of ${count}`;
      if (earlier === null) {
        const [ours] = await inRounds([now]);
        rows.push({ measurement, ours: formatResult(ours), reference: '' });
      } else {
        const headers = { 'X-Auth': await signInByApi(earlier) };
        const then = { url: earlier.url, pid: earlier.pid, request: { path, headers } };
        const [ours, theirs] = await inRounds([now, then]);
        rows.push({
          measurement,
          ours: formatResult(ours),
          reference: `earlier build ${formatResult(theirs)}`,
          ratio: ours.cpuMicros / theirs.cpuMicros,
          limit: '≤ 1.1',
        });
      }
      await rm(join(root, name), { recursive: true });
    }
  } finally {
    await earlier?.stop();
  }
  return rows;
}

/** Measures uploads of small files against a bare server that flushes, and the rate at which the disk flushes at all. */
async function measureUploads(
  product: { readonly url: string; readonly pid: number },
  headers: Readonly<Record<string, string>>,
  bare: RunningServer,
  root: string,
): Promise<Row[]> {
  const body = Buffer.alloc(smallBytes, 'u');
  const [ours, theirs] = await inRounds(
    [
      {
        ...product,
        request: { method: 'POST', path: uniquePaths('/api/resources/uploads/a'), headers, body },
      },
      { ...bare, request: { method: 'POST', path: uniquePaths('/uploads/b'), body } },
    ],
    uploadWarmUpSeconds,
  );
  const flushes = await measureFlushes(join(root, 'uploads'), { bytes: smallBytes, threads: connections });
  const flushesPerSecond = `${connections} threads that only create, write, flush and rename ${Math.round(flushes)}/s`;
  const upload = 'upload of 4 KiB, flushed';
  return [
    {
      measurement: upload,
      ours: formatResult(ours),
      reference: `bare Node ${formatResult(theirs)}; ${flushesPerSecond}`,
      ratio: rateOf(ours) / rateOf(theirs),
      limit: '≥ 0.8',
    },
    {
      measurement: `${upload}: files per second`,
      ours: perSecond(ours),
      reference: `${minUploadsPerSecond.toLocaleString('en')}/s`,
      ratio: rateOf(ours) / minUploadsPerSecond,
      limit: '≥ 1',
    },
  ];
}

/**
 * Measures many small requests over 16 keep-alive connections: processor time of the server per request, requests per second and p99,
 * against a bare Node server that makes the same calls without blocking its event loop, one that blocks it, and nginx.
 */
export async function measureRequests(
  product: Product,
  token: string,
  root: string,
  nginx: Reference,
): Promise<Row[]> {
  const headers = { 'X-Auth': token };
  const files = await makeRequestFiles(root);
  const bare = await startBareServer(root, 'asynchronous');
  const blocker = await startBareServer(root, 'blocking');
  const { url, pid } = product;
  /** Measures a request on all servers, and `more`. */
  const compare = async <T extends readonly Contender[]>(
    path: string,
    barePath: string,
    ...more: T
  ): Promise<{ compared: Compared; more: LoopResult[] }> => {
    const [ours, asynchronous, blocking, ...others] = await inRounds([
      { url, pid, request: { path, headers } },
      { ...bare, request: { path: barePath } },
      { ...blocker, request: { path: barePath } },
      ...more,
    ]);
    return { compared: { ours, asynchronous, blocking }, more: others };
  };
  const rows: Row[] = [];
  try {
    const small = await compare('/api/raw/small.bin', '/small.bin', {
      url: nginx.url,
      pid: nginx.pid ?? 0,
      request: { path: '/small.bin' },
    });
    const [nginxSmall] = small.more;
    const nginxRate = nginxSmall === undefined ? '' : `; ${nginx.name} ${perSecond(nginxSmall)}`;
    rows.push(...rowsOf('file of 4 KiB', small.compared, nginxRate));

    const listPath = '/api/resources/requests/';
    const gzipped = { path: listPath, headers: { ...headers, 'Accept-Encoding': 'gzip' } };
    const listed = await compare(listPath, '/requests/', { url, pid, request: gzipped });
    rows.push(...rowsOf(`list of ${listedEntries}`, listed.compared));
    for (const zipped of listed.more)
      rows.push({
        measurement: `list of ${listedEntries}, gzip`,
        ours: formatResult(zipped),
        reference: '',
      });
    const thumbnail = '/api/preview/thumb/picture.jpg';
    const bytes = await (await fetch(`${url}${thumbnail}`, { headers })).arrayBuffer();
    await writeFile(join(root, 'thumbnail.bin'), Buffer.from(bytes));
    const thumb = await compare(thumbnail, '/thumbnail.bin');
    rows.push(...rowsOf('warm thumbnail', thumb.compared));
    rows.push(...(await measureUploads({ url, pid }, headers, bare, root)));
    // Last, because a disk that frees many files, and the catalogue that notices it, delay what follows.
    rows.push(...(await measureLargeFolders(product, token, root)));
  } finally {
    bare.stop();
    blocker.stop();
    await rm(join(root, 'thumbnail.bin'), { force: true });
    await files.remove();
  }
  return rows;
}
