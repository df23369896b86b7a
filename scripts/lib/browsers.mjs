// Finds the browsers of the journeys; as root on Debian it installs the distribution's packages.
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

/** Installs packages of Debian without their recommendations. Failures are printed. */
function install(...packages) {
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
}

/** As {@link findChromium}; installs Debian's package if none is found and that is possible. */
export function ensureChromium() {
  const found = findChromium();
  if (found || process.env.FILESTEAD_CHROMIUM || !mayInstall()) return found;
  console.log('Installing Chromium for the browser journeys (once)…');
  install('chromium', 'fonts-noto-core');
  return findChromium();
}

/** The packages of Firefox and of WebKitGTK with a display, for the journeys in `e2e/engines/`. */
const enginePackages = ['firefox-esr', 'webkit2gtk-driver', 'xvfb'];

/** Installs the browsers other than Chromium if that is possible. The journeys in a missing browser report that they are skipped. */
export function installEngines() {
  if (!mayInstall() || spawnSync('dpkg', ['-s', ...enginePackages]).status === 0) return;
  console.log('Installing Firefox and WebKitGTK for their journeys (once)…');
  install(...enginePackages);
}
