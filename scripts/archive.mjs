// npm run archive: packs the product with its own Node into filestead-VERSION-PLATFORM.tar.xz (.zip for Windows) in the current folder.
// node scripts/archive.mjs [PLATFORM…] [--to FOLDER] [--level 0…9]; the platforms are those of packaging/node.json.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dropSymbols } from './lib/drop-symbols.mjs';
import { copyPackages } from './lib/locked-packages.mjs';
import { manualPage, programOutput } from './lib/manual-page.mjs';
import { nodeBinary, nodeLicense, nodeVersions, thisPlatform } from './lib/node-binary.mjs';
import { packZip } from './lib/pack-zip.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';
import { stagePackage } from './pack.mjs';

export const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));

/** Runs a program. Returns its output. Throws with its error output if it fails. */
export function runTool(command, args, options = {}) {
  const result = spawnSync(command, args, { maxBuffer: 16 * 1024 * 1024, ...options });
  if (result.status !== 0) {
    throw new Error(`${command} failed: ${result.error?.message ?? result.stderr?.toString() ?? ''}`);
  }
  return result.stdout?.toString() ?? '';
}

/** Like {@link runTool}, without its output, for programs that take long: others can be run at the same time. */
export async function runSlowTool(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.end();
  const [status, signal] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} failed: ${errors || (signal ?? status)}`);
}

/** Returns the modification time of all packaged files in seconds: `SOURCE_DATE_EPOCH` or the time of the last commit, so that builds are reproducible. */
export function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  return Number(given ?? runTool('git', ['log', '-1', '--format=%ct'], { cwd: top }));
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
  const units = join(top, 'packaging', 'systemd');
  if (existsSync(units)) cpSync(units, join(folder, 'systemd'), { recursive: true });
}

/** Writes the contents of an archive into `folder`. */
async function stageArchive(folder, platform, seconds) {
  const isWindows = platform.startsWith('win');
  await stageProduct(join(folder, 'lib'), platform);
  const launcher = isWindows ? 'filestead.cmd' : 'filestead';
  copyFileSync(join(top, 'packaging', 'bin', launcher), join(folder, launcher));
  chmodSync(join(folder, launcher), 0o755);
  if (!isWindows) stageShare(join(folder, 'share'), seconds);
  copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(top, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(folder, 'lib', 'THIRD-PARTY-NOTICES.txt'), join(folder, 'NOTICES'));
  rmSync(join(folder, 'lib', 'THIRD-PARTY-NOTICES.txt'));
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
  await runSlowTool('tar', ['--format=gnu', ...options, '-cJf', file, '-C', parent, name], { env });
}

/** Creates the archive for one platform in `destination`. Returns its path. */
export async function archive(platform, destination, { level = 6, seconds = sourceTime() } = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'filestead-archive-'));
  try {
    const name = `filestead-${version}-${platform}`;
    await stageArchive(join(stage, name), platform, seconds);
    normalizeTree(stage, seconds);
    mkdirSync(destination, { recursive: true });
    const file = join(resolve(destination), `${name}${platform.startsWith('win') ? '.zip' : '.tar.xz'}`);
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, level: { type: 'string', default: '6' } },
  });
  const to = values.to ?? process.env.INIT_CWD ?? '.';
  for (const platform of positionals.length > 0 ? positionals : [thisPlatform]) {
    console.log(await archive(platform, to, { level: Number(values.level) }));
  }
}
