// Resolves and copies the packages outside the bundle, for any platform and in the versions of the lock file.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmCommand, top } from './prepare.mjs';
import { runProgram } from './run-program.mjs';
import { userCache } from './user-cache.mjs';

const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8'));

const fits = (list, value) => list === undefined || list.includes(value);

/** Whether npm would install the package on the platform, such as `linux-x64`. Assumes glibc on Linux. */
function isFor({ os, cpu, libc }, platform) {
  const [system, processor] = platform.replace(/^win-/, 'win32-').split('-');
  return fits(os, system) && fits(cpu, processor) && (system !== 'linux' || fits(libc, 'glibc'));
}

/**
 * Returns the lock file's key of the package that the package with the key `from` loads as `name`, such as `node_modules/a/node_modules/b`;
 * `from` is '' for this repository. Undefined if it is not in the lock file.
 */
export function lockedKey(name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('node_modules/') - 1, 0))) {
    const key = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (packages[key] !== undefined) return key;
    if (base === '') return undefined;
  }
}

/** Returns the lock file's keys of the named packages and all their dependencies on the platform. */
export function lockedPackages(names, platform) {
  const found = new Set();
  const visit = (name, from, isOptional) => {
    const key = lockedKey(name, from);
    if (key === undefined && isOptional) return;
    if (key === undefined) throw new Error(`${name} is not in the lock file`);
    if (found.has(key) || !isFor(packages[key], platform)) return;
    found.add(key);
    const { dependencies = {}, optionalDependencies = {} } = packages[key];
    for (const next of Object.keys(dependencies)) visit(next, key, false);
    for (const next of Object.keys(optionalDependencies)) visit(next, key, true);
  };
  for (const name of names) visit(name, '', false);
  return [...found].toSorted();
}

/** Returns the lock file's entry of a package, with its name. */
export const lockedPackage = (key) => ({ ...packages[key], name: key.split('node_modules/').at(-1) });

/** Downloads a package that is not installed here and verifies its integrity by the lock file. Returns its folder. */
function fetchPackage({ name, version, integrity }) {
  const cached = join(
    userCache('packages'),
    createHash('sha256').update(integrity).digest('hex').slice(0, 32),
  );
  if (existsSync(cached)) return join(cached, 'package');
  const fresh = mkdtempSync(`${cached}-`);
  const [npm, ...npmArgs] = npmCommand();
  const output = runProgram(
    npm,
    [...npmArgs, 'pack', '--silent', '--pack-destination', fresh, `${name}@${version}`],
    { cwd: fresh, shell: npm.endsWith('.cmd') },
  );
  const packed = join(fresh, output.trim().split('\n').at(-1));
  const [algorithm, expected] = integrity.split(/-(.*)/s);
  const hash = createHash(algorithm).update(readFileSync(packed)).digest('base64');
  if (hash !== expected) throw new Error(`the integrity of ${name} ${version} is not that of the lock file`);
  // The top folder of some packages is not called `package`.
  mkdirSync(join(fresh, 'package'));
  runProgram('tar', ['-xzf', packed, '-C', 'package', '--strip-components=1'], { cwd: fresh });
  rmSync(packed);
  cpSync(fresh, cached, { recursive: true });
  rmSync(fresh, { recursive: true });
  return join(cached, 'package');
}

/**
 * Files that programs never load: manuals, sources, types, maps and tests, and the forms of libheif besides the one that `heic-decode`
 * loads (`libheif-bundle.js`), and programs of packages. Licenses are kept.
 */
const unused =
  /\.(?:md|markdown|ts|mts|cts|map|flow|yml|yaml|gyp|gypi|cc|c|h|sh|tgz|prettierrc)$|(?:^|\/)(?:tests?|docs?|examples?|\.github|\.vscode)(?:\/|$)|libheif-js\/libheif(?:\/|$)|\/libheif\.(?:js|wasm)$|\/libheif-bundle\.mjs$|semver\/bin(?:\/|$)/i;
const isUsed = (path) => /licen[cs]e|copying|notice/i.test(path.split('/').at(-1)) || !unused.test(path);

/** Copies the named packages and their dependencies on the platform into `folder`/node_modules, without unused files. */
export function copyPackages(names, platform, folder) {
  const copied = [];
  for (const key of lockedPackages(names, platform)) {
    const locked = lockedPackage(key);
    const installed = join(top, key);
    const isInstalled =
      existsSync(join(installed, 'package.json')) &&
      JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version === locked.version;
    const source = isInstalled ? installed : fetchPackage(locked);
    const target = join(folder, key);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target, {
      recursive: true,
      filter: (path) => {
        const inside = path.slice(source.length + 1);
        return inside === '' || (!inside.startsWith('node_modules') && isUsed(`${locked.name}/${inside}`));
      },
    });
    copied.push({ name: locked.name, version: locked.version });
  }
  return copied;
}
