import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './chromium.ts';
import { extended, isExtended } from './support/extended.ts';

/**
 * Features of the browser that cost time in each test and are never its subject. The first two are the suggestions of
 * the address bar: hidden pages that every new window loads, at half a second of CPU time; the next two start a process in
 * advance for each page. The others are those that Playwright disables itself, because a second switch replaces the first.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'PreloadTopChromeWebUI',
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
  ...(!isExtended && { grepInvert: new RegExp(extended.tag, 'u') }),
  outputDir: '../test-results',
  fullyParallel: false,
  // Each test waits for a third of its time, and the page, the server and the test often for one another: three workers
  // keep two cores busy.
  workers: 3,
  // A shared machine may stall for seconds; a test that needed a second attempt is named in the summary of `npm test`.
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
    // Without animations; tests of motion itself enable them.
    contextOptions: { reducedMotion: 'reduce' },
    // Installing the service worker fetches the offline page and its parts in every context; installable.spec.ts allows
    // it.
    serviceWorkers: 'block',
    // Tracing costs a fifth of every test; it is on for a second attempt (CI), or with `--trace on`.
    trace: 'on-first-retry',
    launchOptions: {
      ...chromiumOptions,
      args: [
        ...chromiumOptions.args,
        '--disable-quic',
        '--disable-component-update',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
});
