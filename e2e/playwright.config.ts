import { defineConfig } from '@playwright/test';

const executablePath = process.env['FILESTEAD_CHROMIUM'] ?? '/usr/bin/chromium';

/**
 * Parts of the browser that cost each journey and are never its subject. The first two are the suggestions of the address
 * bar: hidden pages that every new window loads, at half a second of processor time. The others are those that Playwright
 * switches off itself, as a second switch replaces the first.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // A journey waits more than it works: two side by side take half of the time on two cores, more would not.
  workers: 2,
  // A shared machine may stall for seconds; a journey that needed its second try is named in the summary of `npm test`.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../test-results/journeys.json' }],
  ],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Animations are waited for; journeys about motion itself ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // Installing the worker fetches the offline page and its parts for every context; installable.spec.ts allows it.
    serviceWorkers: 'block',
    // Recording costs a fifth of every journey; a second try (CI) records, and so does `--trace on`.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
});
