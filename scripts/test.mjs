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
const counts = { passed: 0, failed: 0, skipped: 0 };
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
  const report = join(reports, 'unit.json');
  runNode([
    tool('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ]);
  const result = readReport(report);
  counts.passed += result?.numPassedTests ?? 0;
  counts.failed += result?.numFailedTests ?? 0;
  counts.skipped += (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0);
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
  const stats = readReport(report)?.stats;
  const secondTries = stats?.flaky ?? 0;
  if (secondTries > 0) console.log(`NOTE: ${secondTries} browser journeys passed only at their second try.`);
  counts.passed += (stats?.expected ?? 0) + secondTries;
  counts.failed += stats?.unexpected ?? 0;
  counts.skipped += stats?.skipped ?? 0;
}

runUnitTests();
if (filters.length === 0) runJourneys();
rmSync(reports, { recursive: true, force: true });
console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(isFailed || counts.failed > 0 || counts.passed === 0 ? 1 : 0);
