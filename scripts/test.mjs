// npm test: unit and integration tests, then browser journeys on the built product.
// `-- unit` or `-- journeys` runs one half; `-- FILE…` runs those files only, unit tests and journeys (`e2e/*.spec.ts`) alike.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureBuilt, ensureInstalled, requireNode, tool, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();

const names = process.argv.slice(2);
const halves = names.filter((name) => name === 'unit' || name === 'journeys');
const files = names.filter((name) => !halves.includes(name));
/** Paths below e2e/ as Playwright, which starts in that folder, is to look for them. */
const journeyFiles = files.filter((file) => /(^|\/)e2e\/|\.spec\.ts$/.test(file));
const unitFiles = files.filter((file) => !journeyFiles.includes(file));
const runsHalf = (half, ownFiles) =>
  halves.includes(half) || (halves.length === 0 && (files.length === 0 || ownFiles.length > 0));
const reports = mkdtempSync(join(tmpdir(), 'filestead-test-'));
const counts = { passed: 0, skipped: 0 };
const failed = [];
const secondTries = [];
let isFailed = false;

function runNode(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: top,
    stdio: 'inherit',
    env: { ...process.env, ...env },
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

function runUnitTests() {
  const summary = join(reports, 'unit.json');
  runNode(
    [
      tool('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      `--reporter=${join(top, 'scripts', 'lib', 'vitest-summary.mjs')}`,
      ...unitFiles,
    ],
    { FILESTEAD_UNIT_SUMMARY: summary },
  );
  const result = readReport(summary);
  counts.passed += result?.passed ?? 0;
  counts.skipped += result?.skipped ?? 0;
  failed.push(...(result?.failed ?? []));
  secondTries.push(...(result?.secondTries ?? []));
  console.log(`unit and integration tests: ${counts.passed} passed, ${failed.length} failed`);
}

/** All tests of a report of Playwright with their outcome: `expected`, `unexpected`, `flaky` or `skipped`. */
function journeysOf(suites, above = []) {
  return suites.flatMap((suite) => {
    const titles = [...above, suite.title];
    const own = (suite.specs ?? []).flatMap((spec) =>
      spec.tests.map(({ status }) => ({ name: [...titles, spec.title].join(' › '), status })),
    );
    return [...own, ...journeysOf(suite.suites ?? [], titles)];
  });
}

function runJourneys() {
  const chromium = ensureChromium();
  if (!chromium) {
    console.log(
      'LEFT OUT: the browser journeys, for want of a Chromium. Install Chromium or Chrome, or name one in FILESTEAD_CHROMIUM.',
    );
    if (process.env.CI) isFailed = true;
    return;
  }
  ensureBuilt();
  const report = join(reports, 'journeys.json');
  const cli = tool('@playwright/test', 'cli.js');
  runNode([cli, 'test', '--config', 'e2e/playwright.config.ts', ...journeyFiles], {
    FILESTEAD_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  for (const { name, status } of journeysOf(readReport(report)?.suites ?? [])) {
    if (status === 'skipped') counts.skipped++;
    else if (status === 'unexpected') failed.push(name);
    else counts.passed++;
    if (status === 'flaky') secondTries.push(name);
  }
}

if (runsHalf('unit', unitFiles)) runUnitTests();
if (runsHalf('journeys', journeyFiles)) runJourneys();
rmSync(reports, { recursive: true, force: true });
for (const name of secondTries) console.log(`NOTE: passed only at the second try: ${name}`);
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`tests: ${counts.passed} passed, ${failed.length} failed, ${counts.skipped} skipped`);
process.exit(isFailed || failed.length > 0 || counts.passed === 0 ? 1 : 0);
