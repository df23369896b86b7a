import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Plugin, build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';

const checks = new URL('../../scripts/lib/bundle-checks.mjs', import.meta.url).href;
const { bundleChecks } = (await import(checks)) as {
  bundleChecks(options: { top: string; external: readonly string[] }): Plugin;
};

let top: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'filestead-bundle-')));
});
afterEach(() => rm(top, { recursive: true, force: true }));

/** The errors of a build of `files`, which begins at `main.js`. */
async function errorsOf(files: Record<string, string>): Promise<string[]> {
  for (const [path, content] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), content);
  }
  try {
    await build({
      absWorkingDir: top,
      entryPoints: ['main.js'],
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      external: ['native'],
      logLevel: 'silent',
      plugins: [bundleChecks({ top, external: ['native'] })],
    });
    return [];
  } catch (error) {
    return (error as { errors: { text: string }[] }).errors.map(({ text }) => text);
  }
}

const commonPackage = {
  'node_modules/common/package.json': '{"main":"index.js"}',
  'node_modules/common/index.js': 'exports.parse = () => 1;',
};

test('a dynamic import of a CommonJS package fails the build, and a static import in a module loaded dynamically does not', async () => {
  expect(
    await errorsOf({ ...commonPackage, 'main.js': "export const load = () => import('common');" }),
  ).toEqual([expect.stringContaining('main.js imports the CommonJS package “common” dynamically')]);
  expect(
    await errorsOf({
      ...commonPackage,
      'main.js': "export const load = () => import('./loaded.js');",
      'loaded.js': "export { parse } from 'common';",
    }),
  ).toEqual([]);
});

test('a package that is neither bundled nor installed with the product fails the build', async () => {
  expect(
    await errorsOf({
      'main.js': "import 'native'; import 'node:fs'; import './optional.cjs';",
      'optional.cjs': "try { require('missing'); } catch {}",
    }),
  ).toEqual(['optional.cjs needs missing, which is neither bundled nor installed with the product']);
});

test('a package that uses the location of its file fails the build, and one that mentions it in a comment does not', async () => {
  expect(
    await errorsOf({
      'main.js': "import './located.cjs'; import './commented.cjs'; import 'beside';",
      'node_modules/beside/package.json': '{"type":"module","main":"index.js"}',
      'node_modules/beside/index.js': "export const data = new URL('data.json', import.meta.url);",
      'located.cjs': "exports.data = require('node:fs').readFileSync(__dirname + '/data.json');",
      'commented.cjs': '// __dirname is not used here\nexports.one = 1;',
    }),
  ).toEqual([
    'located.cjs uses the location of its own file, which differs in the bundle',
    'node_modules/beside/index.js uses the location of its own file, which differs in the bundle',
  ]);
});
