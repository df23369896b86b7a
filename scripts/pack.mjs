// npm run pack: builds the npm package of the built product, filestead-VERSION.tgz, in the current folder or the given one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, npmCommand, requireNode, top } from './lib/prepare.mjs';
import { normalizeTree, packTree, sourceTime, stagePackage, version } from './lib/stage-product.mjs';

/** Creates the package of the built product in the folder `destination`. Returns its path. */
export async function pack(destination) {
  const stage = mkdtempSync(join(tmpdir(), 'filestead-pack-'));
  try {
    await stagePackage(stage);
    mkdirSync(destination, { recursive: true });
    const [npm, ...npmArgs] = npmCommand();
    const args = [
      ...npmArgs,
      'pack',
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      resolve(destination),
    ];
    const { status, stdout, stderr } = spawnSync(npm, args, {
      cwd: stage,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: npm.endsWith('.cmd'),
    });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    return join(resolve(destination), JSON.parse(stdout)[0].filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Creates the archive of the source maps, which the packages omit, in the folder `destination`. Returns its path. */
export async function packMaps(destination, { level = 6 } = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'filestead-maps-'));
  try {
    const name = `filestead-${version}-maps`;
    const isKept = (path) => statSync(path).isDirectory() || path.endsWith('.map');
    cpSync(join(top, 'server', 'dist'), join(stage, name, 'server', 'dist'), {
      recursive: true,
      filter: isKept,
    });
    const seconds = sourceTime();
    normalizeTree(stage, seconds);
    mkdirSync(destination, { recursive: true });
    const file = join(resolve(destination), `${name}.tar.xz`);
    await packTree(stage, name, file, { seconds, level });
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureInstalled();
  ensureBuilt();
  const { positionals } = parseArgs({ allowPositionals: true });
  console.log(await pack(positionals[0] ?? process.env.INIT_CWD ?? '.'));
}
