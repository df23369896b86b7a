// Prepares a clone: checks Node, and installs and builds only what is missing or outdated.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const top = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const installStamp = join(top, 'node_modules', '.filestead-install');
/** A file with the hash of the sources of the current build. */
export const buildStamp = join(top, 'server', 'dist', '.filestead-build');
const lockFile = join(top, 'package-lock.json');

/** The inputs of the build: whole folders, and single files. */
const buildInputs = [
  'contract/src',
  'server/src',
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/first-screens.ts',
  'web/packages-plugin.ts',
  'web/precompress.ts',
  'web/texts-plugin.ts',
  'web/contract-texts-plugin.ts',
  'web/service-worker-plugin.ts',
  'web/service-worker',
  'scripts/build.mjs',
  'scripts/build-server.mjs',
  'scripts/notices.mjs',
  'packaging/licenses',
  'scripts/lib/bundle-checks.mjs',
  'scripts/lib/locked-packages.mjs',
  'package-lock.json',
];

/** Exits with instructions if this version of Node is too old or unsupported. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 14) || major > 22;
  if (isSupported) return;
  console.error(
    `Filestead needs Node 20.19 or newer, or 22.14 or newer. This is Node ${process.versions.node}.\nInstall a current version from your package manager or nodejs.org, then run the command again.`,
  );
  process.exit(1);
}

/** Runs a command in the repository. Exits with its status if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: top, stdio: 'inherit', ...options });
  if (result.error) {
    console.error(`${command} could not be started: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Returns the path of a script of an installed package. Run with Node, it works the same on every system. */
export function tool(packageName, script) {
  return join(top, 'node_modules', packageName, script);
}

/** Runs a script of an installed package. */
export const runTool = (packageName, script, args, options) =>
  run(process.execPath, [tool(packageName, script), ...args], options);

/** Returns the command of npm and its first arguments: of the npm that runs this script, if any. */
export function npmCommand() {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return [process.execPath, npm];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** Installs the packages of the lock file unless they are installed for this lock file and this Node. */
export function ensureInstalled() {
  const inputsHash = createHash('sha256')
    .update(readFileSync(lockFile))
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex');
  if (existsSync(installStamp) && readFileSync(installStamp, 'utf8') === inputsHash) return;
  console.log('Installing packages (once)…');
  const [npm, ...npmArgs] = npmCommand();
  const args = [...npmArgs, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  run(npm, args, { shell: npm.endsWith('.cmd') });
  writeFileSync(installStamp, inputsHash);
}

function* filesBelow(path) {
  const full = join(top, path);
  if (!existsSync(full)) return;
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch {
    yield path;
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesBelow(`${path}/${entry.name}`);
    else if (!entry.name.includes('.test.')) yield `${path}/${entry.name}`;
  }
}

function hashOfInputs() {
  const hash = createHash('sha256');
  for (const input of buildInputs) {
    for (const file of filesBelow(input))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(top, file)));
  }
  return hash.digest('hex');
}

/** Builds the server and the web app, even if the current build is of the same sources. */
export function rebuild() {
  run(process.execPath, [join(top, 'scripts', 'build.mjs')]);
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, hashOfInputs());
}

/** Builds the server and the web app unless the current build is of the same sources. */
export function ensureBuilt() {
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === hashOfInputs()) return;
  console.log('Building (once for these sources)…');
  rebuild();
}
