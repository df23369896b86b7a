// Writes the files of the product into folders from which the packages are made.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { dropSymbols } from './drop-symbols.mjs';
import { copyPackages } from './locked-packages.mjs';
import { manualPage, programOutput } from './manual-page.mjs';
import { nodeBinary, nodeLicense, nodeVersions } from './node-binary.mjs';
import { packZip } from './pack-zip.mjs';
import { top } from './prepare.mjs';
import { runProgram, runSlowProgram } from './run-program.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(top, path), 'utf8'));

/** The version of the product. */
export const { version } = readJson('package.json');

/** The `node:sqlite` API for Node 20, which is only supported in a clone: it has an install script and binaries for all platforms. */
export const onlyInClones = new Set(['@photostructure/sqlite']);

/** Returns the packages outside the bundle with their versions in the lock file. */
async function dependenciesOf() {
  const { external } = await import('../build-server.mjs');
  const { packages } = readJson('package-lock.json');
  return Object.fromEntries(
    external
      .filter((name) => !onlyInClones.has(name))
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

/** Returns the modification time of all packaged files in seconds: `SOURCE_DATE_EPOCH` or the time of the last commit, so that builds are reproducible. */
export function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  return Number(given ?? runProgram('git', ['log', '-1', '--format=%ct'], { cwd: top }));
}

/** Sets the same time and normal permission bits for all entries below `folder`. */
export function normalizeTree(folder, seconds) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isDirectory()) normalizeTree(path, seconds);
    if (!found.isSymbolicLink()) {
      // Some packages mark WebAssembly as a program.
      const isProgram = (found.mode & 0o100) !== 0 && !name.endsWith('.wasm');
      const isExecutable = found.isDirectory() || isProgram;
      chmodSync(path, isExecutable ? 0o755 : 0o644);
    }
    lutimesSync(path, seconds, seconds);
  }
  lutimesSync(folder, seconds, seconds);
}

/** Returns the program of Node as it is shipped: that for Linux without its symbol table, which is 18 MB. */
export async function shippedNode(platform) {
  const program = readFileSync(await nodeBinary(platform));
  return platform.startsWith('linux-') ? dropSymbols(program) : program;
}

/** Writes the product, its packages for the platform and its Node into `folder`, as `lib` of an archive or below `/usr/lib`. */
export async function stageProduct(folder, platform) {
  const entry = nodeVersions.platforms[platform];
  await stagePackage(folder);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  copyPackages(Object.keys(dependencies), platform, folder);
  writeFileSync(join(folder, entry.file), await shippedNode(platform));
  chmodSync(join(folder, entry.file), 0o755);
  for (const name of ['LICENSE', 'README.md']) rmSync(join(folder, name));
  copyFileSync(await nodeLicense(platform), join(folder, 'node-LICENSE'));
}

/** Writes the manual page, completions and units for systemd into the folder `share`. */
export function stageShare(folder, seconds) {
  mkdirSync(join(folder, 'man', 'man1'), { recursive: true });
  writeFileSync(join(folder, 'man', 'man1', 'filestead.1'), manualPage(version, new Date(seconds * 1_000)));
  mkdirSync(join(folder, 'completions'));
  for (const [shell, name] of [
    ['bash', 'filestead.bash'],
    ['zsh', '_filestead'],
    ['fish', 'filestead.fish'],
  ]) {
    writeFileSync(join(folder, 'completions', name), programOutput('completion', shell));
  }
  cpSync(join(top, 'packaging', 'systemd'), join(folder, 'systemd'), { recursive: true });
}

/** Packs the folder `name` in `parent` into `file`: a zip or tar.xz, by its extension. The same tree results in the same bytes. */
export async function packTree(parent, name, file, { seconds, level }) {
  rmSync(file, { force: true });
  if (file.endsWith('.zip')) {
    packZip(parent, name, file, { seconds, level });
    return;
  }
  const options = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'];
  const env = { ...process.env, LC_ALL: 'C', XZ_OPT: `-${level} -T1` };
  await runSlowProgram('tar', ['--format=gnu', ...options, '-cJf', file, '-C', parent, name], { env });
}
