// npm run screenshots: pictures of every screen in light, dark, German, Arabic and on the phone, for people to look at.
// `-- FOLDER [PART OF A NAME] [LOCALE …]` says where they go (otherwise screenshots/), which ones are taken ("" for all),
// and in which languages instead of the usual forms. Texts that are cut are named.
import { ensureChromium } from './lib/chromium.mjs';
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
runTool('tsx', 'dist/cli.mjs', ['e2e/take-screenshots.ts', ...process.argv.slice(2)], {
  env: { ...process.env, FILESTEAD_CHROMIUM: ensureChromium() },
});
