// npm run pack: builds the npm package of the built product, filestead-VERSION.tgz, in the current folder or the given one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, npmCommand, requireNode, top } from './lib/prepare.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(top, path), 'utf8'));

/** The `node:sqlite` API for Node 20, which is only supported in a clone: it has an install script and binaries for all platforms. */
const forClones = new Set(['@photostructure/sqlite']);

/** Returns the packages outside the bundle with their versions in the lock file. */
async function dependenciesOf() {
  const { external } = await import('./build-server.mjs');
  const { packages } = readJson('package-lock.json');
  return Object.fromEntries(
    external
      .filter((name) => !forClones.has(name))
      .toSorted()
      .map((name) => [name, packages[`node_modules/${name}`].version]),
  );
}

/** Returns the manifest of the package: only the fields that `npm install` requires, without scripts. */
async function manifest() {
  const { version, description, license, repository } = readJson('package.json');
  return {
    name: 'filestead',
    version,
    description,
    license,
    repository,
    type: 'module',
    bin: { filestead: 'bin/filestead.js' },
    engines: { node: '>=22.15.0' },
    exports: {},
    dependencies: await dependenciesOf(),
  };
}

/** Writes the contents of the package into `folder`, without source maps, which are larger than everything else. */
export async function stagePackage(folder) {
  const copy = (from, to, filter = () => true) =>
    cpSync(join(top, from), join(folder, to), { recursive: true, filter });
  for (const file of ['filestead.js', 'package.json']) copy(`packaging/bin/${file}`, `bin/${file}`);
  copy('server/dist', 'server/dist', (path) => !/[.]map$|[/\\]\.[^/\\]*$/.test(path));
  copy('web/dist', 'web/dist');
  copy('server/dist/THIRD-PARTY-NOTICES.txt', 'THIRD-PARTY-NOTICES.txt');
  rmSync(join(folder, 'server', 'dist', 'THIRD-PARTY-NOTICES.txt'));
  for (const file of ['LICENSE', 'README.md']) copy(file, file);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

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
  const { normalizeTree, packTree, sourceTime, version } = await import('./archive.mjs');
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
