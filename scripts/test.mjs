// npm test: unit and integration tests, then browser journeys on the built product. `-- PATH…` runs only those unit tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureBuilt, ensureInstalled, requireNode, tool, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();

const filters = process.argv.slice(2);
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
      ...filters,
    ],
    { FILESTEAD_UNIT_SUMMARY: summary },
  );
  const result = readReport(summary);
  counts.passed += result?.passed ?? 0;
  counts.skipped += result?.skipped ?? 0;
  failed.push(...(result?.failed ?? []));
  secondTries.push(...(result?.secondTries ?? []));
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
  runNode([tool('@playwright/test', 'cli.js'), 'test', '--config', 'e2e/playwright.config.ts'], {
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

runUnitTests();
if (filters.length === 0) runJourneys();
rmSync(reports, { recursive: true, force: true });
for (const name of secondTries) console.log(`NOTE: passed only at the second try: ${name}`);
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`tests: ${counts.passed} passed, ${failed.length} failed, ${counts.skipped} skipped`);
process.exit(isFailed || failed.length > 0 || counts.passed === 0 ? 1 : 0);
