// Finds a Chromium for the browser journeys; as root on Debian it installs the distribution's package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Returns the path of an installed Chromium or Chrome, or null. `FILESTEAD_CHROMIUM` overrides the search. */
export function findChromium() {
  const chosen = process.env.FILESTEAD_CHROMIUM;
  if (chosen) return existsSync(chosen) ? chosen : null;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (folder && existsSync(path)) return path;
    }
  }
  return existsSync(macApplication) ? macApplication : null;
}

const mayInstall = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** As {@link findChromium}; installs Debian's package if none is found and that is possible. */
export function ensureChromium() {
  const found = findChromium();
  if (found || process.env.FILESTEAD_CHROMIUM || !mayInstall()) return found;
  console.log('Installing Chromium for the browser journeys (once)…');
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-core');
  return findChromium();
}
