// Installs the npm package of the built product into an empty folder, once for each build, for the tests of what ships.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pack, stagePackage } from '../pack.mjs';
import { nodeForPackages } from './node-binary.mjs';
import { buildStamp, ensureBuilt, npmCommand, top } from './prepare.mjs';
import { userCache } from './user-cache.mjs';

const keptMs = 24 * 60 * 60 * 1000;
const inputs = [
  'LICENSE',
  'README.md',
  'packaging/bin/filestead.js',
  'packaging/bin/package.json',
  'package.json',
  'scripts/pack.mjs',
  'scripts/lib/installed.mjs',
];

function hashOfPackage() {
  const hash = createHash('sha256').update(readFileSync(buildStamp)).update(process.versions.node);
  for (const input of inputs) hash.update(readFileSync(join(top, input)));
  return hash.digest('hex').slice(0, 16);
}

/** The environment without what a surrounding `npm test` says about this repository. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?:package|lifecycle|config_(?:local_|global_)?prefix)/.test(name),
    ),
  );

/** Installs the package below `prefix`. Returns what npm said when that fails, else null. */
async function install(prefix) {
  const [npm, ...before] = npmCommand();
  const args = ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--prefer-offline'];
  const quiet = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  const { status, stderr, error } = spawnSync(npm, [...before, ...args, ...quiet, await pack(prefix)], {
    cwd: prefix,
    encoding: 'utf8',
    env: cleanEnvironment(),
    shell: npm.endsWith('.cmd'),
    timeout: 120_000,
  });
  return status === 0 ? null : (error?.message ?? stderr).trim();
}

const packageIn = (prefix) =>
  [join(prefix, 'lib', 'node_modules', 'filestead'), join(prefix, 'node_modules', 'filestead')].find((path) =>
    existsSync(path),
  );

/** The folder for installations, outside the repository, whose packages would otherwise be found where the installed ones lack. */
function openCache() {
  const cache = userCache('installed');
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
  return cache;
}

/**
 * The installed product: `folder` is its package and `program` the script that `node` runs. Where npm cannot install, for want of a registry, the
 * same files are used with the packages of this repository, and `note` says so.
 */
export async function installProduct() {
  ensureBuilt();
  const node = await nodeForPackages();
  const productIn = (folder, note = null) => ({
    folder,
    program: join(folder, 'bin', 'filestead.js'),
    node,
    note,
  });
  const home = openCache();
  const installed = join(home, hashOfPackage());
  if (existsSync(installed)) return productIn(packageIn(installed));
  console.log('Installing the built product as its users do (once for this build)…');
  const fresh = mkdtempSync(join(home, 'new-'));
  const failure = await install(fresh);
  if (failure === null) {
    // Another run may have been faster.
    if (existsSync(installed)) rmSync(fresh, { recursive: true, force: true });
    else renameSync(fresh, installed);
    return productIn(packageIn(installed));
  }
  const copied = mkdtempSync(join(home, 'copied-'));
  await stagePackage(copied);
  symlinkSync(join(top, 'node_modules'), join(copied, 'node_modules'), 'junction');
  return productIn(
    copied,
    `NOT INSTALLED: npm could not install the package, so its files run with the packages of this repository. npm said: ${failure}`,
  );
}
