import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { asMiB, asMs, median, residentBytes, type Row } from '../measure.ts';

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
} as const;

interface Measured {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly narrowMedianMs: number;
  readonly narrowP95Ms: number;
  readonly grownBytes: number;
  readonly peakBytes: number;
}

const rowOf = (measurement: string, ours: number, limit: number, text: (value: number) => string): Row => ({
  measurement: `catalogue of ${entries.toLocaleString('en')} entries, ${measurement}`,
  ours: text(ours),
  reference: text(limit),
  ratio: ours / limit,
  limit: '≤ 1',
});

/** Measures searches and memory without a disk. */
async function measureSearches(folder: string): Promise<Row[]> {
  const stdout = await runScript('measure-catalogue.ts', folder, String(entries));
  const measured = JSON.parse(stdout) as Measured;
  return [
    rowOf('26 queries, 95 %', measured.p95Ms, limits.p95Ms, asMs),
    rowOf('26 queries, median', measured.medianMs, limits.medianMs, asMs),
    rowOf('the same with 20 rules and hidden dotfiles, 95 %', measured.narrowP95Ms, limits.p95Ms, asMs),
    rowOf(
      'the same with 20 rules and hidden dotfiles, median',
      measured.narrowMedianMs,
      limits.medianMs,
      asMs,
    ),
    rowOf('memory', measured.grownBytes, limits.grownBytes, asMiB),
    rowOf('highest memory while building', measured.peakBytes, limits.grownBytes * limits.peak, asMiB),
  ];
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

/** Starts a product with the given data folder, and returns the time until its catalogue is complete. */
async function build(
  root: string,
  data: string,
  args: readonly string[],
): Promise<{ ms: number; grown: number }> {
  const product = await startProduct(root, { data, args });
  try {
    // The password is printed only at the first start.
    if (product.password !== '') passwords.set(data, product.password);
    const token = await signInByApi(product, 'admin', passwords.get(data));
    const before = await residentBytes(product.pid);
    const ms = await timeToCover(product, token);
    return { ms, grown: (await residentBytes(product.pid)) - before };
  } finally {
    await product.stop();
  }
}

/** Measures the catalogue: searches in memory, and builds, loads and starts with a tree on the disk. */
export async function measureCatalogue(root: string): Promise<Row[]> {
  const folder = join(root, 'catalogue');
  await mkdir(folder);
  const rows = await measureSearches(folder);
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
    const saved = await build(tree, full, []);
    rows.push(rowOf('first response from the saved file', saved.ms, limits.savedMs, asMs));
    const slow = await build(tree, budget, []);
    rows.push(rowOf('first build with the default budget', slow.ms, limits.budgetMs, asMs));
    const starts = { on: [] as number[], off: [] as number[] };
    for (let round = 0; round < 15; round++)
      for (const state of ['on', 'off'] as const) {
        const product = await startProduct(tree, { data: full, args: ['--catalogue', state] });
        starts[state].push(product.startMs);
        await product.stop();
      }
    rows.push({
      measurement: 'start to first response with a catalogue',
      ours: asMs(median(starts.on)),
      reference: `${asMs(median(starts.off))} without`,
      ratio: median(starts.on) / median(starts.off),
      limit: '≤ 1.05',
    });
  } finally {
    await Promise.all([...dataFolders, folder].map((each) => rm(each, { recursive: true, force: true })));
  }
  return rows;
}
