// Installs the npm package of the built product into an empty folder, once per build, for the tests of the installed package.
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
import { pack } from '../pack.mjs';
import { nodeForPackages } from './node-binary.mjs';
import { buildStamp, ensureBuilt, npmCommand, top } from './prepare.mjs';
import { stagePackage } from './stage-product.mjs';
import { userCache } from './user-cache.mjs';

const cacheLifetimeMs = 24 * 60 * 60 * 1000;
const inputs = [
  'LICENSE',
  'README.md',
  'packaging/bin/filestead.js',
  'packaging/bin/package.json',
  'package.json',
  'scripts/pack.mjs',
  'scripts/lib/installed.mjs',
  'scripts/lib/stage-product.mjs',
];

function hashOfPackage() {
  const hash = createHash('sha256').update(readFileSync(buildStamp)).update(process.versions.node);
  for (const input of inputs) hash.update(readFileSync(join(top, input)));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the environment without the variables in which a surrounding `npm test` describes this repository. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?:package|lifecycle|config_(?:local_|global_)?prefix)/.test(name),
    ),
  );

/** Installs the package below `prefix`. Returns null, or the error output of npm. */
async function install(prefix) {
  const [npm, ...npmArgs] = npmCommand();
  const args = ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--prefer-offline'];
  const quiet = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  const { status, stderr, error } = spawnSync(npm, [...npmArgs, ...args, ...quiet, await pack(prefix)], {
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

/** Opens the folder for installations. It is outside the repository, so that missing packages are not resolved from there. */
function openCache() {
  const cache = userCache('installed');
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > cacheLifetimeMs) rmSync(path, { recursive: true, force: true });
  }
  return cache;
}

/** Copies the files of the package, which then run with the packages of this repository. `reason` becomes part of the note. */
async function withRepositoryPackages(home, reason, node, program) {
  const folder = mkdtempSync(join(home, 'copied-'));
  await stagePackage(folder);
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return {
    folder,
    program: join(folder, ...program),
    node,
    note: `NOT INSTALLED: the files of the package run with the packages of this repository. ${reason}`,
  };
}

/**
 * Installs the product: `folder` is its package and `program` the script that `node` runs. Without a registry the same files
 * run with the packages of this repository, and without a Node that the package accepts the bundle is run directly; `note`
 * contains the reason then.
 */
export async function installProduct() {
  ensureBuilt();
  const home = openCache();
  let node;
  try {
    node = await nodeForPackages();
  } catch (error) {
    const reason = `The package needs a newer Node, which could not be downloaded: ${error.message}`;
    return withRepositoryPackages(home, reason, process.execPath, ['server', 'dist', 'main.js']);
  }
  const program = ['bin', 'filestead.js'];
  const productIn = (folder) => ({ folder, program: join(folder, ...program), node, note: null });
  const installed = join(home, hashOfPackage());
  if (existsSync(installed)) return productIn(packageIn(installed));
  console.log('Installing the built product as its users do (once for this build)…');
  const fresh = mkdtempSync(join(home, 'new-'));
  const failure = await install(fresh);
  if (failure !== null)
    return withRepositoryPackages(home, `npm could not install it: ${failure}`, node, program);
  // Another run may have been faster.
  if (existsSync(installed)) rmSync(fresh, { recursive: true, force: true });
  else renameSync(fresh, installed);
  return productIn(packageIn(installed));
}
