import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WebKitPrograms } from './webkit.ts';

/** Returns the path of the first of these programs that this machine has, or null. */
function programOf(...names: string[]): string | null {
  for (const name of names) {
    const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}

/** Reports that journeys are skipped because programs are missing. */
function reportMissing(engine: string, missing: readonly string[]): null {
  process.stdout.write(`SKIPPED: the journeys in ${engine}; missing: ${missing.join(', ')}\n`);
  return null;
}

/** Returns the path of Firefox, or null. */
export function findFirefox(): string | null {
  return programOf('firefox-esr', 'firefox') ?? reportMissing('Firefox', ['firefox-esr']);
}

/** Returns the path of WebKitGTK's small browser, which is in the folder of the library, or null. */
function findMiniBrowser(): string | null {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return null;
  const folders = readdirSync(libraries)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((version) => join(libraries, name, version)));
  return folders.map((folder) => join(folder, 'MiniBrowser')).find((path) => existsSync(path)) ?? null;
}

/** Returns the programs of WebKitGTK, or null. */
export function findWebKit(): WebKitPrograms | null {
  const [driver, display, browser] = [programOf('WebKitWebDriver'), programOf('Xvfb'), findMiniBrowser()];
  if (driver !== null && display !== null && browser !== null) return { driver, display, browser };
  const programs = { 'webkit2gtk-driver': driver, xvfb: display, MiniBrowser: browser };
  const missing = Object.entries(programs).filter(([, path]) => path === null);
  return reportMissing(
    'WebKitGTK',
    missing.map(([name]) => name),
  );
}
