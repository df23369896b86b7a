// npm test: unit and integration tests, then the tests of the installed package and browser journeys, on the built product. `-- unit`,
// `-- installed`, `-- quick-packages`, `-- packages`, `-- engines` or `-- journeys` runs one part. The journeys in other browsers (`engines`)
// and the quick tests of the packages run only when named or in CI, because they install these browsers and a minimal Debian; all tests of
// the packages, which take 10 to 15 minutes, only when named.
// The extended journeys run only with `npm run bench -- journeys`, or when they are named.
// `-- FILE…` runs only those files, unit tests or journeys (`e2e/*.spec.ts`), and `-t NAME` only the tests with that name. Other options
// are passed on to Vitest and Playwright, with their value after `=`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, installEngines } from './lib/browsers.mjs';
import { startStopwatch } from './lib/report/stopwatch.mjs';
import { withErrors } from './lib/report/with-errors.mjs';
import { preparePackages } from './lib/prepare-packages.mjs';
import { ensureBuilt, ensureInstalled, requireNode, tool, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();

/** Splits the arguments into names of parts and files, the value of `-t`, and other options. */
function readArguments(args) {
  const names = [];
  const options = [];
  let testName;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    const [, inlineName] = /^(?:-t|-g|--testNamePattern|--grep)=(.*)$/s.exec(arg) ?? [];
    if (inlineName !== undefined) testName = inlineName;
    else if (['-t', '-g', '--testNamePattern', '--grep'].includes(arg)) testName = args[++index];
    else if (arg.startsWith('-')) options.push(arg);
    else names.push(arg);
  }
  return { names, options, testName };
}

const { names, options, testName } = readArguments(process.argv.slice(2));
const allParts = new Set(['unit', 'installed', 'quick-packages', 'packages', 'engines', 'journeys']);
const parts = names.filter((name) => allParts.has(name));
const files = names.filter((name) => !parts.includes(name));
const engineFiles = files.filter((file) => file.includes('e2e/engines/'));
/** Files for Playwright, which resolves them in e2e/. */
const journeyFiles = files.filter(
  (file) => /(^|\/)e2e\/|\.spec\.ts(:\d+)?$/.test(file) && !engineFiles.includes(file),
);
const installedFiles = files.filter((file) => file.includes('test/installed/'));
const packageFiles = files.filter((file) => file.includes('packaging/test/'));
const filesOfOtherParts = new Set([...engineFiles, ...journeyFiles, ...installedFiles, ...packageFiles]);
const unitFiles = files.filter((file) => !filesOfOtherParts.has(file));
/** Whether a part runs; `partFiles` are the named files that belong to it. */
const runsPart = (part, partFiles) =>
  parts.includes(part) || (parts.length === 0 && (files.length === 0 || partFiles.length > 0));
const runsAllParts = parts.length === 0 && files.length === 0;
const reports = mkdtempSync(join(tmpdir(), 'filestead-test-'));
const sharedCode = join(reports, 'code');
mkdirSync(sharedCode, { mode: 0o700 });
const counts = { passed: 0, skipped: 0 };
const failed = [];
const retried = [];
/** A line for each part with its time. */
const times = [];
let isFailed = false;

function runNode(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: top,
    stdio: 'inherit',
    env: { ...process.env, FILESTEAD_SHARED_CODE: sharedCode, ...env },
  });
  if (status !== 0) isFailed = true;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    isFailed = true;
    return null;
  }
}

/** Runs the tests of some projects of `vitest.config.ts`, only those in `partFiles` if there are any. */
function runVitest(title, projects, partFiles, partOptions = [], env = {}) {
  const summary = join(reports, 'vitest.json');
  const readStopwatch = startStopwatch();
  runNode(
    [
      tool('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      `--reporter=${join(top, 'scripts', 'lib', 'report', 'vitest-summary.mjs')}`,
      ...projects.map((project) => `--project=${project}`),
      ...partOptions,
      ...(testName === undefined ? [] : [`--testNamePattern=${testName}`]),
      ...options,
      ...partFiles,
    ],
    {
      FILESTEAD_UNIT_SUMMARY: summary,
      FILESTEAD_RUNS_INSTALLED: runsPart('installed', installedFiles) ? '1' : '',
      FILESTEAD_RUNS_ALL_PARTS: runsAllParts ? '1' : '',
      ...env,
    },
  );
  const result = readReport(summary);
  counts.passed += result?.passed ?? 0;
  counts.skipped += result?.skipped ?? 0;
  failed.push(...(result?.failed ?? []));
  retried.push(...(result?.retried ?? []));
  times.push(`${title}: ${readStopwatch()}`);
  console.log(`${title}: ${result?.passed ?? 0} passed, ${result?.failed.length ?? 'unknown'} failed`);
}

/** Returns all tests of a Playwright report, named with their errors, and their outcome: `expected`, `unexpected`, `flaky` or `skipped`. */
function journeysOf(suites, above = []) {
  return suites.flatMap((suite) => {
    const titles = [...above, suite.title];
    const own = (suite.specs ?? []).flatMap((spec) =>
      spec.tests.map(({ status, results }) => {
        const errors = results.flatMap(({ error }) => error ?? []);
        return { name: withErrors([...titles, spec.title].join(' › '), errors), status };
      }),
    );
    return [...own, ...journeysOf(suite.suites ?? [], titles)];
  });
}

/** Runs those tests of the packages that CI includes, if this machine can make packages. */
async function runQuickPackages() {
  const readStopwatch = startStopwatch();
  ensureBuilt();
  const system = await preparePackages();
  times.push(`what the packages need: ${readStopwatch()}`);
  if (system === null) return;
  runVitest('quick tests of the packages', ['packages'], [], ['--tagsFilter=quick'], {
    FILESTEAD_QUICK_SYSTEM: system,
    FILESTEAD_ONLY_TAG: 'quick',
  });
}

function runJourneys() {
  const chromium = ensureChromium();
  if (!chromium) {
    console.log(
      'SKIPPED: the browser journeys; no Chromium was found. Install Chromium or Chrome, or set FILESTEAD_CHROMIUM to its path.',
    );
    if (process.env.CI) isFailed = true;
    return;
  }
  ensureBuilt();
  const report = join(reports, 'journeys.json');
  const cli = tool('@playwright/test', 'cli.js');
  const readStopwatch = startStopwatch();
  const named = testName === undefined ? [] : [`--grep=${testName}`, '--pass-with-no-tests'];
  runNode([cli, 'test', '--config', 'e2e/playwright.config.ts', ...named, ...options, ...journeyFiles], {
    FILESTEAD_CHROMIUM: chromium,
    // See e2e/support/extended.ts.
    ...(testName !== undefined || journeyFiles.length > 0 ? { FILESTEAD_EXTENDED: '1' } : {}),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // See `env` of vitest.config.ts.
    NODE_EXTRA_CA_CERTS: '',
  });
  times.push(`journeys: ${readStopwatch()}`);
  for (const { name, status } of journeysOf(readReport(report)?.suites ?? [])) {
    if (status === 'skipped') counts.skipped++;
    else if (status === 'unexpected') failed.push(name);
    else counts.passed++;
    if (status === 'flaky') retried.push(name);
  }
}

/** Starts building and installing the product while the unit tests run: much of both waits or uses one core. */
function prepareAhead() {
  const script = join(top, 'scripts', 'lib', 'prepare-product.mjs');
  return once(spawn(process.execPath, [script], { cwd: top, stdio: 'inherit' }), 'exit');
}

const prepared = runsAllParts ? prepareAhead() : null;
if (runsPart('unit', unitFiles))
  runVitest('unit and integration tests', ['alone', 'long', 'server', 'web', 'web modules'], unitFiles);
// A failure is reported by the parts that use the product: they prepare it again.
await prepared;
if (runsPart('installed', installedFiles)) runVitest('the installed package', ['installed'], installedFiles);
// Sequentially, because they measure times and each of them uses the whole machine.
if (parts.includes('packages') || packageFiles.length > 0)
  runVitest('all packages', ['packages'], packageFiles, ['--no-file-parallelism']);
else if (parts.includes('quick-packages') || (runsAllParts && process.env.CI)) await runQuickPackages();
if (parts.includes('engines') || engineFiles.length > 0 || (runsAllParts && process.env.CI)) {
  installEngines();
  ensureBuilt();
  runVitest('journeys in other browsers', ['engines'], engineFiles);
}
if (runsPart('journeys', journeyFiles)) runJourneys();
rmSync(reports, { recursive: true, force: true });
for (const line of times) console.log(`TIME: ${line}`);
for (const name of retried) console.log(`NOTE: passed only when retried: ${name}`);
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`tests: ${counts.passed} passed, ${failed.length} failed, ${counts.skipped} skipped`);
process.exit(isFailed || failed.length > 0 || counts.passed === 0 ? 1 : 0);
