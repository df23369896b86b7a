// npm run screenshots: takes screenshots of every screen in light, dark, German, Arabic and phone form, for visual review.
// `-- FOLDER [PART OF A NAME] [LOCALE …]` sets the folder (by default screenshots/), the screens ("" for all),
// and the languages instead of the forms above. Truncated texts are reported.
import { ensureChromium } from './lib/browsers.mjs';
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
runTool('tsx', 'dist/cli.mjs', ['e2e/take-screenshots.ts', ...process.argv.slice(2)], {
  env: { ...process.env, FILESTEAD_CHROMIUM: ensureChromium() },
});
