import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prepareStage } from './stage.ts';

const top = join(import.meta.dirname, '..', '..', '..');
const { attack } = prepareStage();

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

/** The first version without the vulnerability that the test describes, by package; null for packages that must not be installed. */
const fixedIn: Readonly<Record<string, string | null>> = {
  '@fastify/static': '10.1.3',
  'fast-uri': '3.1.3',
  hono: '4.12.27',
  tar: '7.5.7',
  'extract-zip': null,
  ws: '8.17.1',
  'pdfjs-dist': '4.2.67',
};

/** Below zero when `a` is the older version. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).slice(0, 3).map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

attack('SC-01', async () => {
  const allowed = (
    JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }
  ).allowScripts;
  for (const [path, { version = '', dev, link, integrity, hasInstallScript }] of Object.entries(
    lock.packages,
  )) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (path === '' || link === true || !path.includes('node_modules/')) continue;
    expect(integrity, `${name} is pinned by its hash`).toMatch(/^sha512-/);
    // No install script may run.
    if (hasInstallScript === true && dev !== true) expect(allowed[name] ?? false, name).toBe(false);
    const fixed = fixedIn[name];
    if (fixed === undefined) continue;
    expect(fixed, `${name} is not used`).not.toBeNull();
    if (fixed !== null)
      expect(compareVersions(version, fixed), `${name} ${version}`).toBeGreaterThanOrEqual(0);
  }
});

attack('SC-03', async () => {
  const sources = readdirSync(join(top, 'web'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(?:index\.html|src\/.*\.(?:css|html|tsx?))$/.test(path) && !/\.test\.|\/probe\//.test(path),
  );
  expect(sources.length).toBeGreaterThan(100);
  const writing: string[] = [];
  for (const path of sources) {
    const text = readFileSync(join(top, 'web', path), 'utf8');
    expect(text, path).not.toMatch(
      /(?:src|href)="(?:https?:)?\/\/|@import\s+["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//,
    );
    expect(text, path).not.toMatch(/\beval\(|new Function\(|document\.write\(|dangerouslySetInnerHTML/);
    if (/(?:inner|outer)HTML\s*=[^=]|insertAdjacentHTML/.test(text)) writing.push(path);
  }
  // Values are rendered as text, never as markup.
  expect(writing).toEqual([]);
});
