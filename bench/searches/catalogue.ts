import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import {
  asMiB,
  asMs,
  median,
  percentile,
  residentBytes,
  type Row,
  rowAgainst,
  rowWithin,
} from '../measure.ts';

const run = promisify(execFile);
const scripts = join(import.meta.dirname, '../../server/test/catalogue');

/** Runs a script of the server's tests. Returns its output. */
async function runScript(name: string, ...args: readonly string[]): Promise<string> {
  // The same limit of young objects as in the thread of the product.
  const all = ['--expose-gc', '--max-semi-space-size=2', '--import', 'tsx', join(scripts, name), ...args];
  return (await run(process.execPath, all)).stdout;
}

/** The number of entries. Smaller trees take less time, but their results are less meaningful. */
const entries = Number(process.env['FILESTEAD_BENCH_ENTRIES'] ?? 1_000_000);

/** The limits for 1,000,000 entries (milliseconds, bytes). */
const limits = {
  p95Ms: 50,
  medianMs: 15,
  grownBytes: 100 * 1024 * 1024,
  /** The highest memory while building, as a multiple of the final one. */
  peak: 1.3,
  savedMs: 300,
  fullMs: 20_000,
  budgetMs: 90_000,
  /** The 95th percentile of searches over HTTP while the folders are compared with the disk. */
  sweepP95Ms: 80,
  /** Memory for as many watches as the default allows. */
  watchBytes: 35 * 1024 * 1024,
} as const;

/** The output of `measure-catalogue.ts`. */
interface Measured {
  readonly queries: readonly string[];
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly narrowMedianMs: number;
  readonly narrowP95Ms: number;
  readonly grownBytes: number;
  readonly peakBytes: number;
}

const rowOf = (measurement: string, value: number, limit: number, format: (value: number) => string): Row =>
  rowWithin(`catalogue of ${entries.toLocaleString('en')} entries, ${measurement}`, value, limit, { format });

/** Measures searches and memory without a disk. */
async function measureSearches(folder: string): Promise<{ rows: Row[]; queries: readonly string[] }> {
  const stdout = await runScript('measure-catalogue.ts', folder, String(entries));
  const measured = JSON.parse(stdout) as Measured;
  const rows = [
    rowOf('26 queries, 95th percentile', measured.p95Ms, limits.p95Ms, asMs),
    rowOf('26 queries, median', measured.medianMs, limits.medianMs, asMs),
    rowOf(
      'the same with 20 rules and hidden dotfiles, 95th percentile',
      measured.narrowP95Ms,
      limits.p95Ms,
      asMs,
    ),
    rowOf(
      'the same with 20 rules and hidden dotfiles, median',
      measured.narrowMedianMs,
      limits.medianMs,
      asMs,
    ),
    rowOf('memory', measured.grownBytes, limits.grownBytes, asMiB),
    rowOf('highest memory while building', measured.peakBytes, limits.grownBytes * limits.peak, asMiB),
  ];
  return { rows, queries: measured.queries };
}

/**
 * The time until the catalogue of a product contains everything, in milliseconds. Sizes are requested: a search would walk the disk while the
 * catalogue is being built.
 */
async function timeToCover(product: Product, token: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(`${product.url}/api/totals/`, { headers: { 'X-Auth': token } });
    if ((await response.text()).includes('"coverage":"all"')) return performance.now() - startedAt;
    await sleep(50);
  }
}

/** The passwords of the administrators, by data folder. */
const passwords = new Map<string, string>();

/** Signs in as the administrator of a data folder. */
function signIn(product: Product, data: string): Promise<string> {
  // The password is printed only at the first start.
  if (product.password !== '') passwords.set(data, product.password);
  return signInByApi(product, 'admin', passwords.get(data));
}

/** How often the queries are sent: the folders are compared for longer. */
const searchRounds = 3;

/** Runs the queries of the benchmark as requests, and returns the times (milliseconds). */
async function timesOfSearches(
  product: Product,
  token: string,
  queries: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (const query of Array.from({ length: searchRounds }, () => queries).flat()) {
    const startedAt = performance.now();
    const response = await fetch(`${product.url}/api/find/?query=${encodeURIComponent(query)}`, {
      headers: { 'X-Auth': token },
    });
    await response.text();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** The interval at which other requests are sent while the catalogue is built, and the time for which (milliseconds). */
const otherIntervalMs = 25;
const othersMs = 15_000;

/** Lists a small folder again and again, and returns the slowest response (milliseconds). */
async function slowestListing(root: string, data: string, args: readonly string[]): Promise<number> {
  const product = await startProduct(root, { data, args });
  try {
    const token = await signIn(product, data);
    // The first requests of a process are slower, and the catalogue begins after a second.
    await sleep(3_000);
    let slowest = 0;
    for (const end = performance.now() + othersMs; performance.now() < end;) {
      const startedAt = performance.now();
      const response = await fetch(`${product.url}/api/resources/small`, { headers: { 'X-Auth': token } });
      await response.text();
      slowest = Math.max(slowest, performance.now() - startedAt);
      await sleep(otherIntervalMs);
    }
    return slowest;
  } finally {
    await product.stop();
  }
}

/** Starts a product with a saved catalogue, and returns its memory once it has compared and watched its folders. */
async function memoryAtRest(root: string, data: string, args: readonly string[]): Promise<number> {
  const product = await startProduct(root, { data, args });
  try {
    await timeToCover(product, await signIn(product, data));
    // Folders are compared and watched in a quarter of a thread's time.
    await sleep(30_000);
    return await residentBytes(product.pid);
  } finally {
    await product.stop();
  }
}

/** Starts a product with the given data folder, and returns the time until its catalogue is complete. */
async function build(
  root: string,
  data: string,
  args: readonly string[],
  queries: readonly string[] = [],
): Promise<{ ms: number; grown: number; searches: readonly number[] }> {
  const product = await startProduct(root, { data, args });
  try {
    const token = await signIn(product, data);
    const before = await residentBytes(product.pid);
    const ms = await timeToCover(product, token);
    const grown = (await residentBytes(product.pid)) - before;
    return { ms, grown, searches: await timesOfSearches(product, token, queries) };
  } finally {
    await product.stop();
  }
}

/** The time that the threads of a catalogue with hardly any entries take to start and answer, in milliseconds. */
async function timeToStartThreads(folder: string): Promise<number> {
  const [root, data] = [join(folder, 'empty'), join(folder, 'empty-data')];
  await Promise.all([root, data].map((each) => mkdir(each)));
  const times: number[] = [];
  for (let round = 0; round < 6; round++) times.push((await build(root, data, [])).ms);
  // The first one has no file yet.
  return median(times.slice(1));
}

/** Measures the catalogue: searches in memory, and builds, loads and starts with a tree on the disk. */
export async function measureCatalogue(root: string): Promise<Row[]> {
  const folder = join(root, 'catalogue');
  await mkdir(folder);
  const { rows, queries } = await measureSearches(folder);
  const tree = join(folder, 'tree');
  await mkdir(tree);
  await runScript('make-tree.ts', tree, String(entries));
  const dataFolders = await Promise.all(
    Array.from({ length: 2 }, () => mkdtemp(join(tmpdir(), 'filestead-bench-data-'))),
  );
  try {
    const [full = '', budget = ''] = dataFolders;
    const built = await build(tree, full, ['--catalogueBudget', 'full']);
    rows.push(rowOf('first build with the budget “full”', built.ms, limits.fullMs, asMs));
    rows.push(rowOf('memory of the process with both threads', built.grown, limits.grownBytes, asMiB));
    const saved = await build(tree, full, [], queries);
    const startMs = await timeToStartThreads(folder);
    rows.push(
      rowOf(
        `first response from the saved file (and ${asMs(startMs)} until its threads run)`,
        saved.ms - startMs,
        limits.savedMs,
        asMs,
      ),
    );
    const sweepP95 = percentile(saved.searches, 0.95);
    rows.push(
      rowOf(
        'the queries as requests while folders are compared, 95th percentile',
        sweepP95,
        limits.sweepP95Ms,
        asMs,
      ),
    );
    const watching = await memoryAtRest(tree, full, []);
    // So few that all of them are reserved for open folders.
    const notWatching = await memoryAtRest(tree, full, ['--watchFolders', '256']);
    rows.push(rowOf('memory for watched folders', watching - notWatching, limits.watchBytes, asMiB));
    await mkdir(join(tree, 'small'));
    const building = await slowestListing(tree, budget, []);
    await rm(join(budget, 'catalogue'), { force: true });
    const without = await slowestListing(tree, budget, ['--catalogue', 'off']);
    rows.push(
      rowAgainst('slowest response to another request while the catalogue is built', building, without, {
        note: 'without',
        limit: '≤ 1.2',
      }),
    );
    const slow = await build(tree, budget, []);
    rows.push(rowOf('first build with the default budget', slow.ms, limits.budgetMs, asMs));
    const starts = { on: [] as number[], off: [] as number[] };
    for (let round = 0; round < 15; round++)
      for (const state of ['on', 'off'] as const) {
        const product = await startProduct(tree, { data: full, args: ['--catalogue', state] });
        starts[state].push(product.startMs);
        await product.stop();
      }
    rows.push(
      rowAgainst('start to first response with a catalogue', median(starts.on), median(starts.off), {
        note: 'without',
        limit: '≤ 1.05',
      }),
    );
  } finally {
    await Promise.all([...dataFolders, folder].map((each) => rm(each, { recursive: true, force: true })));
  }
  return rows;
}
