import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Product } from '../e2e/support/product.ts';
import { closedLoop, type LoopRequest, type LoopResult } from './clients/closed-loop.ts';
import { asMiB, asMs, median, residentBytes, type Row } from './measure.ts';
import type { Reference } from './servers/reference.ts';

const connections = 16;
const secondsPerRound = 2;
const rounds = 5;
const smallBytes = 4096;
const listedEntries = 50;

/** A server and the request that it is measured with. */
interface Contender {
  readonly url: string;
  readonly pid: number;
  readonly request: LoopRequest;
}

/** Measures the contenders in turns after an unmeasured round. Resolves to the median of each figure. */
async function inRounds(contenders: readonly Contender[]): Promise<LoopResult[]> {
  const results: LoopResult[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { request, ...server }] of contenders.entries()) {
      const seconds = round === 0 ? 1 : secondsPerRound;
      const result = await closedLoop(server, request, { connections, seconds });
      if (round > 0) results[index]?.push(result);
    }
  }
  const medianOf = (all: readonly LoopResult[], field: keyof LoopResult): number =>
    median(all.map((result) => result[field]));
  return results.map((all) => ({
    requests: medianOf(all, 'requests'),
    seconds: medianOf(all, 'seconds'),
    cpuMicros: medianOf(all, 'cpuMicros'),
    p50: medianOf(all, 'p50'),
    p99: medianOf(all, 'p99'),
  }));
}

/** Starts the bare Node server on `root`. */
async function startBareServer(root: string): Promise<{ url: string; pid: number; stop: () => void }> {
  const script = join(import.meta.dirname, 'servers', 'bare-server.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the bare server did not start')));
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}

const micros = (value: number): string => `${Math.round(value)} µs`;
const perSecond = ({ requests, seconds }: LoopResult): string => `${Math.round(requests / seconds)}/s`;
const formatResult = (result: LoopResult): string =>
  `${micros(result.cpuMicros)}, ${perSecond(result)}, p99 ${asMs(result.p99)}`;

/** Returns a row that compares processor time per request, and one for the 99th percentile of the latency. */
function rowsOf(measurement: string, ours: LoopResult, bare: LoopResult, extra = ''): Row[] {
  return [
    {
      measurement,
      ours: formatResult(ours),
      reference: `bare Node ${formatResult(bare)}${extra}`,
      ratio: ours.cpuMicros / bare.cpuMicros,
      limit: '≤ 1.5',
    },
    {
      measurement: `${measurement}: p99`,
      ours: asMs(ours.p99),
      reference: '12 ms',
      ratio: ours.p99 / 12,
      limit: '≤ 1',
    },
  ];
}

/**
 * Measures many small requests over 16 keep-alive connections: processor time of the server per request, requests per second and p99,
 * against a bare Node server that makes the same system calls, and nginx.
 */
export async function measureRequests(
  product: Product,
  token: string,
  root: string,
  nginx: Reference,
): Promise<Row[]> {
  const idle = await residentBytes(product.pid);
  const headers = { 'X-Auth': token };
  const list = join(root, 'requests');
  const uploads = join(root, 'uploads');
  await mkdir(list);
  await mkdir(uploads);
  await writeFile(join(root, 'small.bin'), Buffer.alloc(smallBytes, 'x'));
  for (let i = 0; i < listedEntries; i++) await writeFile(join(list, `IMG_${i} holiday.txt`), String(i));
  await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#39c' } })
    .jpeg()
    .toFile(join(root, 'picture.jpg'));
  const bare = await startBareServer(root);
  const { url, pid } = product;
  const rows: Row[] = [
    {
      measurement: 'memory before the first request',
      ours: asMiB(idle),
      reference: '90 MiB',
      ratio: idle / (90 * 1024 * 1024),
      limit: '≤ 1',
    },
  ];
  try {
    const [small, bareSmall, nginxSmall] = await inRounds([
      { url, pid, request: { path: '/api/raw/small.bin', headers } },
      { ...bare, request: { path: '/small.bin' } },
      { url: nginx.url, pid: nginx.pid ?? 0, request: { path: '/small.bin' } },
    ]);
    if (small && bareSmall && nginxSmall)
      rows.push(...rowsOf('file of 4 KiB', small, bareSmall, `; ${nginx.name} ${perSecond(nginxSmall)}`));

    const listRequest = { path: '/api/resources/requests/', headers };
    const gzipped = { ...headers, 'Accept-Encoding': 'gzip' };
    const [listed, bareListed, zipped] = await inRounds([
      { url, pid, request: listRequest },
      { ...bare, request: { path: '/requests/' } },
      { url, pid, request: { ...listRequest, headers: gzipped } },
    ]);
    if (listed && bareListed && zipped) {
      rows.push(...rowsOf(`list of ${listedEntries}`, listed, bareListed), {
        measurement: `list of ${listedEntries}, gzip`,
        ours: formatResult(zipped),
        reference: '',
      });
    }

    const thumbnail = '/api/preview/thumb/picture.jpg';
    const bytes = await (await fetch(`${url}${thumbnail}`, { headers })).arrayBuffer();
    await writeFile(join(root, 'thumbnail.bin'), Buffer.from(bytes));
    const [thumb, bareThumb] = await inRounds([
      { url, pid, request: { path: thumbnail, headers } },
      { ...bare, request: { path: '/thumbnail.bin' } },
    ]);
    if (thumb && bareThumb) rows.push(...rowsOf('warm thumbnail', thumb, bareThumb));

    const body = Buffer.alloc(smallBytes, 'u');
    let run = 0;
    const target = (prefix: string) => {
      run += 1;
      const thisRun = run;
      return (number: number): string => `${prefix}${thisRun}-${number}-${process.hrtime.bigint()}.bin`;
    };
    const [ours, theirs] = await inRounds([
      { url, pid, request: { method: 'POST', path: target('/api/resources/uploads/a'), headers, body } },
      { ...bare, request: { method: 'POST', path: target('/uploads/b'), body } },
    ]);
    if (ours && theirs)
      rows.push({
        measurement: 'upload of 4 KiB, flushed',
        ours: formatResult(ours),
        reference: `bare Node ${formatResult(theirs)}`,
        ratio: ours.requests / ours.seconds / (theirs.requests / theirs.seconds),
        limit: '≥ 0.8',
      });
  } finally {
    bare.stop();
    for (const name of ['requests', 'uploads', 'small.bin', 'picture.jpg', 'thumbnail.bin'])
      await rm(join(root, name), { recursive: true, force: true });
  }
  return rows;
}
