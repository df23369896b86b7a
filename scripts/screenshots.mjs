// npm run screenshots: takes screenshots of every screen in light, dark, German, Arabic and phone form, for visual review.
// `-- FOLDER [PART OF A NAME] [LOCALE …]` sets the folder (by default screenshots/), the screens ("" for all),
// and the languages instead of the forms above. Truncated texts are reported.
// `-- compare` compares every screen with its reference picture (e2e/screens/reference/); `-- reference` renews these, and
// writes only those that have changed. `-- readme` renews the pictures of the README.
import { ensureChromium } from './lib/browsers.mjs';
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const env = { ...process.env, FILESTEAD_CHROMIUM: ensureChromium() };
switch (args[0]) {
  case 'compare':
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
      {
        env: {
          ...env,
          [args[0] === 'compare' ? 'FILESTEAD_COMPARE_PICTURES' : 'FILESTEAD_RENEW_PICTURES']: '1',
        },
      },
    );
    break;
  case 'readme':
    runTool('tsx', 'dist/cli.mjs', ['e2e/take-readme-pictures.ts', ...args.slice(1)], { env });
    break;
  default:
    runTool('tsx', 'dist/cli.mjs', ['e2e/take-screenshots.ts', ...args], { env });
}
