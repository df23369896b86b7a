// npm run screenshots: takes screenshots of every screen in light, dark, German, Arabic and phone form, for visual review.
// `-- FOLDER [PART OF A NAME] [LOCALE …]` sets the folder (by default screenshots/), the screens ("" for all),
// and the languages instead of the forms above. Truncated texts are reported.
// `-- reference` renews the reference pictures with which the journeys compare every screen (e2e/screens/reference/); only
// those that have changed are written. `-- readme` renews the pictures of the README.
import { ensureChromium } from './lib/browsers.mjs';
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const env = { ...process.env, FILESTEAD_CHROMIUM: ensureChromium() };
switch (args[0]) {
  case 'reference':
    runTool(
      '@playwright/test',
      'cli.js',
      [
        'test',
        '--config',
        'e2e/playwright.config.ts',
        'screens.spec.ts',
        'kitchen-sink.spec.ts',
        ...args.slice(1),
      ],
      { env: { ...env, FILESTEAD_RENEW_PICTURES: '1' } },
    );
    break;
  case 'readme':
    runTool('tsx', 'dist/cli.mjs', ['e2e/take-readme-pictures.ts', ...args.slice(1)], { env });
    break;
  default:
    runTool('tsx', 'dist/cli.mjs', ['e2e/take-screenshots.ts', ...args], { env });
}
