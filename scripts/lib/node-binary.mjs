// Downloads the Node binaries listed in packaging/node.json into a cache: for archives, and for tests with other versions.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, top } from './prepare.mjs';
import { runProgram } from './run-program.mjs';
import { userCache } from './user-cache.mjs';

/** Versions, files and hashes of Node by platform. */
export const nodeVersions = JSON.parse(readFileSync(join(top, 'packaging', 'node.json'), 'utf8'));

/** The platforms for which there are a Debian package and an image, by their architecture in Debian. */
export const debianPlatforms = { amd64: 'linux-x64', arm64: 'linux-arm64' };

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Downloads and unpacks the npm package that contains the program. Returns the paths of the program and of the license below `folder`. */
function fromNpm({ package: name, version, file }, folder) {
  const [npm, ...npmArgs] = npmCommand();
  const args = ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`];
  const packed = runProgram(npm, [...npmArgs, ...args], { cwd: folder, shell: npm.endsWith('.cmd') }).trim();
  runProgram('tar', ['-xzf', packed.split('\n').at(-1)], { cwd: folder });
  return { program: join(folder, 'package', 'bin', file), license: join(folder, 'package', 'LICENSE') };
}

/** Downloads the release from nodejs.org. Returns the paths of the program and of the license below `folder`. */
async function fromNodejs({ version, file }, platform, folder) {
  const stem = `node-v${version}-${platform}`;
  const isWindows = platform.startsWith('win');
  const archive = isWindows ? `win-x64/node.exe` : `${stem}.tar.xz`;
  const response = await fetch(`https://nodejs.org/dist/v${version}/${archive}`);
  if (!response.ok) throw new Error(`nodejs.org answered ${response.status} for ${archive}`);
  const saved = join(folder, isWindows ? file : 'node.tar.xz');
  writeFileSync(saved, Buffer.from(await response.arrayBuffer()));
  const license = join(folder, stem, 'LICENSE');
  if (isWindows) return { program: saved, license };
  runProgram('tar', ['-xJf', saved, `${stem}/bin/${file}`, `${stem}/LICENSE`], { cwd: folder });
  return { program: join(folder, stem, 'bin', file), license };
}

/** The name in the cache of a file with that hash. */
const cachedName = (hash, name) => join(userCache('node'), `${hash.slice(0, 32)}-${name}`);

/** Moves a file into the cache. Throws unless it has the hash. */
function keepFile(path, hash, target, title) {
  const found = sha256(path);
  if (found !== hash) throw new Error(`${title} has the hash ${found}, not ${hash}`);
  renameSync(path, target);
  return target;
}

/** Fetches a Node and keeps its program, and its license where the entry has the hash of one. Throws for other hashes. */
async function fetchNode(platform, entry) {
  const fresh = mkdtempSync(join(userCache('node'), 'new-'));
  const title = `Node ${entry.version} for ${platform}`;
  try {
    const isOfficial = process.env.FILESTEAD_NODE_FROM === 'nodejs.org';
    const { program, license } = isOfficial
      ? await fromNodejs(entry, platform, fresh)
      : fromNpm(entry, fresh);
    chmodSync(program, 0o755);
    keepFile(program, entry.sha256, cachedName(entry.sha256, entry.file), title);
    const { licenseSha256 } = entry;
    if (licenseSha256 !== undefined) {
      keepFile(license, licenseSha256, cachedName(licenseSha256, 'LICENSE'), `the license of ${title}`);
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The entry of the platform. Throws where there is none. */
function entryOf(platform) {
  const entry = nodeVersions.platforms[platform];
  if (entry === undefined) throw new Error(`packaging/node.json has no Node for ${platform}`);
  return entry;
}

/**
 * Returns the path of a Node binary, by platform and entry of `packaging/node.json`. It is downloaded from npm, or from nodejs.org if
 * `FILESTEAD_NODE_FROM` is `nodejs.org`. Throws if its hash is not that of the entry.
 */
export async function nodeBinary(platform, entry = entryOf(platform)) {
  const path = cachedName(entry.sha256, entry.file);
  if (!existsSync(path)) await fetchNode(platform, entry);
  return path;
}

/**
 * Returns the path of the license of Node for a platform, verbatim from the package of Node. The entry of a platform whose package has no
 * license names in `licenseFrom` another platform with the same version.
 */
export async function nodeLicense(platform) {
  const own = entryOf(platform);
  const source = own.licenseFrom ?? platform;
  const entry = entryOf(source);
  if (entry.version !== own.version) {
    throw new Error(
      `packaging/node.json: ${platform} has Node ${own.version}, and takes the license of ${entry.version} from ${source}`,
    );
  }
  const path = cachedName(entry.licenseSha256, 'LICENSE');
  if (!existsSync(path)) await fetchNode(source, entry);
  return path;
}

/** The platform of this machine as `packaging/node.json` names it. */
export const thisPlatform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Whether the distributed packages support this version of Node. */
export function runsPackages(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 15) || major > 22;
}

/** Returns a Node that supports the packages: the one that runs this script, or that of the archives if it is too old. */
export const nodeForPackages = () => (runsPackages() ? process.execPath : nodeBinary(thisPlatform));
