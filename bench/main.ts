// Measures the built product on data it makes itself. Every figure is a ratio to a reference of the same run.
// Usage: npm run bench             all parts
//        npm run bench -- NAME…    some of them: the names are in `parts`
//        npm run bench -- requests --stages   also prints the processor time of small requests by stage
//        npm run bench -- kills    kills the server at every step and reports lost data; takes minutes
//        npm run bench -- leaks    compares what 1,000 random users can find with a walk; takes minutes
//        npm run bench -- truth    compares the catalogue with the disk after random changes; takes minutes
//        npm run bench -- races    swaps links during every operation and reports leaks; takes minutes
//        npm run bench -- journeys runs all browser journeys, also the extended ones; takes minutes
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { signInByApi, startProduct } from '../e2e/support/product.ts';
import { measureArchives } from './archives.ts';
import { measureCatalogue } from './searches/catalogue.ts';
import { measureContents } from './searches/contents.ts';
import { measureChecksums } from './checksums.ts';
import { measureCopies } from './copies.ts';
import { measureLive } from './live.ts';
import { measureListing } from './listing.ts';
import { measureLoad } from './load.ts';
import { asMiB, meetsLimit, type Row } from './measure.ts';
import { measureMemory } from './memory.ts';
import { measurePage } from './page.ts';
import { measurePreviews } from './previews.ts';
import { measureSearch } from './searches/search.ts';
import { measureStart } from './start.ts';
import { measureOperations } from './operations/operations.ts';
import { measureRequests } from './requests/requests.ts';
import { printStages } from './requests/stages.ts';
import { measureTrash } from './trash.ts';
import { measureTransfers } from './transfers.ts';
import { measureUploads } from './uploads.ts';
import { startReference } from './servers/reference.ts';

/** The parts of the benchmark, by name. */
const parts = [
  'start',
  'load',
  'operations',
  'listing',
  'live',
  'requests',
  'transfers',
  'archives',
  'previews',
  'checksums',
  'search',
  'catalogue',
  'contents',
  'copies',
  'trash',
  'memory',
  'page',
  'uploads',
  'rows',
] as const;
type Part = (typeof parts)[number];

const stagesFlag = '--stages';
const given = process.argv.slice(2);
const chosen = given.filter((name) => name !== stagesFlag);
const isChosen = (part: Part): boolean => chosen.length === 0 || chosen.includes(part);

function print(rows: readonly Row[]): void {
  for (const row of rows) {
    const ratio = row.ratio === undefined ? '' : row.ratio.toFixed(2);
    const result =
      row.limit === undefined ? '' : meetsLimit(row) ? `met (${row.limit})` : `MISSED (${row.limit})`;
    console.log(`| ${row.measurement} | ${row.ours} | ${row.reference} | ${ratio} | ${result} |`);
  }
}

/** Long-running tests: their script, with its first arguments. Each runs alone, only when named, and prints its own table. */
const longTests = new Map<string, readonly [script: string, ...args: string[]]>([
  ['kills', ['server/test/faults/run-kills.ts']],
  ['races', ['server/test/races/run-races.ts']],
  ['leaks', ['server/test/catalogue/run-long-tests.ts', 'leaks']],
  ['truth', ['server/test/catalogue/run-long-tests.ts', 'truth']],
  ['journeys', ['scripts/test.mjs', 'journeys']],
]);
const [name = '', ...moreArgs] = chosen;
const longTest = longTests.get(name);
if (longTest !== undefined) {
  const [script, ...args] = longTest;
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args, ...moreArgs], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    // See e2e/support/extended.ts.
    env: { ...process.env, FILESTEAD_EXTENDED: '1' },
  });
  process.exit(status ?? 1);
}

const unknown = chosen.filter((given) => !parts.some((part) => part === given));
if (unknown.length > 0) {
  const known = [...parts, ...longTests.keys()].join(', ');
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${known}.`);
  process.exit(1);
}

const root = await mkdtemp(join(tmpdir(), 'filestead-bench-'));
await chmod(root, 0o755);
console.log(`Node ${process.version}, ${cpus().length} cores, ${asMiB(totalmem())} of memory\n`);
console.log('| measurement | Filestead | reference | ratio | limit |\n| --- | --- | --- | --- | --- |');
try {
  if (isChosen('start')) print(await measureStart(root));
  if (isChosen('load')) print(await measureLoad(root));
  if (isChosen('operations')) print(await measureOperations(root));
  if (isChosen('trash')) print(await measureTrash(root));
  if (isChosen('catalogue')) print(await measureCatalogue(root));
  if (isChosen('contents')) print(await measureContents(root));
  const product = await startProduct(root);
  const reference = await startReference(root);
  try {
    const token = await signInByApi(product);
    if (isChosen('listing')) print(await measureListing(product, token, root));
    if (isChosen('live')) print(await measureLive(product, root));
    if (isChosen('requests')) print(await measureRequests(product, token, root, reference));
    if (isChosen('transfers')) print(await measureTransfers(product, token, root, reference));
    if (isChosen('archives')) print(await measureArchives(product, token, root));
    if (isChosen('previews')) print(await measurePreviews(product, token, root));
    if (isChosen('checksums')) print(await measureChecksums(product, token, root));
    if (isChosen('search')) print(await measureSearch(product, token, root));
    if (isChosen('copies')) print(await measureCopies(product, token, root));
    if (isChosen('memory')) print(await measureMemory(product, token, root));
    if (isChosen('page')) print(await measurePage(product, root));
    if (given.includes(stagesFlag)) await printStages(root);
    if (isChosen('uploads')) print(await measureUploads(product, root));
  } finally {
    await reference.stop();
    await product.stop();
  }
} finally {
  await rm(root, { recursive: true, force: true });
}

// The listing alone, over entries made in the browser; it prints tables of its own.
if (isChosen('rows')) {
  for (const view of ['list', 'mosaic', 'photos']) {
    console.log(`\nThe listing in Chromium, ${view}:`);
    const script = join(import.meta.dirname, 'listing-in-browser.ts');
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, view], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
