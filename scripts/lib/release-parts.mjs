// The files of a release: how each is made, and which programs that requires. The modules that make them are imported when they run,
// because they read the version when they are loaded, after the release has written it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { debianPlatforms, nodeVersions } from './node-binary.mjs';
import { top } from './prepare.mjs';

const succeeds = (command) => spawnSync('sh', ['-c', command]).status === 0;
const hasProgram = (name) => succeeds(`command -v ${name}`);

/** Prerequisites that a machine may lack. */
const needs = {
  'GNU tar': () => succeeds('tar --version | grep -q GNU'),
  xz: () => hasProgram('xz'),
  'libdeflate-gzip': () => hasProgram('libdeflate-gzip'),
  'dpkg-deb': () => hasProgram('dpkg-deb'),
  root: () => process.getuid?.() === 0,
  'apt-get': () => hasProgram('apt-get'),
  buildah: () => hasProgram('buildah'),
  'packages of Debian for amd64': () => hasArchitecture('amd64'),
  'packages of Debian for arm64': () => hasArchitecture('arm64'),
};

const hasArchitecture = (name) =>
  succeeds(`{ dpkg --print-architecture; dpkg --print-foreign-architectures; } | grep -qx ${name}`);

/** Maximum size of an archive at the level of releases, in bytes. */
const maxArchiveBytes = 50_000_000;

async function makeArchive(folder, platform, { level }) {
  const { archive } = await import('../archive.mjs');
  const { size } = statSync(await archive(platform, folder, { level }));
  if (level >= 6 && size > maxArchiveBytes) {
    throw new Error(
      `the archive for ${platform} has ${(size / 1e6).toFixed(1)} MB; the limit is ${maxArchiveBytes / 1e6} MB`,
    );
  }
}

async function makeMaps(folder, { level }) {
  const { packMaps } = await import('../pack.mjs');
  await packMaps(folder, { level });
}

async function makeBillOfMaterials(folder, platform) {
  const [{ sbom }, { version }] = await Promise.all([import('../sbom.mjs'), import('./stage-product.mjs')]);
  const text = JSON.stringify(await sbom(platform), null, 2);
  writeFileSync(join(folder, `filestead-${version}-${platform}.cdx.json`), `${text}\n`);
}

async function makeManifests(folder) {
  const [{ repositoryOf, writeManifests }, { version }] = await Promise.all([
    import('./manifests.mjs'),
    import('./stage-product.mjs'),
  ]);
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  writeManifests(folder, { version, repository: repositoryOf(manifest) });
}

const platforms = Object.keys(nodeVersions.platforms);
const architectures = Object.keys(debianPlatforms);

/**
 * The parts of a release. `make` writes one or several files into a folder; `level` is that of the compression. A part that reads
 * the files of the other parts has `isLast`.
 */
export const releaseParts = [
  {
    title: 'the npm package',
    needs: [],
    make: async (folder) => (await import('../pack.mjs')).pack(folder),
  },
  { title: 'the source maps', needs: ['GNU tar', 'xz'], make: makeMaps },
  ...platforms.map((platform) => ({
    title: `the archive for ${platform}`,
    needs: platform.startsWith('win') ? ['libdeflate-gzip'] : ['GNU tar', 'xz'],
    make: (folder, options) => makeArchive(folder, platform, options),
  })),
  {
    title: 'the manifests for package managers',
    needs: ['GNU tar', 'xz', 'libdeflate-gzip'],
    make: makeManifests,
    isLast: true,
  },
  ...architectures.map((architecture) => ({
    title: `the Debian package for ${architecture}`,
    needs: ['dpkg-deb'],
    make: async (folder, { level }) => (await import('../deb.mjs')).deb(folder, { architecture, level }),
  })),
  ...architectures.map((architecture) => ({
    title: `the image for ${architecture}`,
    needs: ['root', 'apt-get', 'buildah', `packages of Debian for ${architecture}`],
    make: async (folder, { level }) =>
      (await import('../image.mjs')).imageArchive(folder, { architecture, level }),
  })),
  {
    title: 'the third-party licenses',
    needs: [],
    make: (folder) =>
      copyFileSync(
        join(top, 'server', 'dist', 'THIRD-PARTY-NOTICES.txt'),
        join(folder, 'THIRD-PARTY-NOTICES.txt'),
      ),
  },
  ...platforms.map((platform) => ({
    title: `the bill of materials for ${platform}`,
    needs: [],
    make: (folder) => makeBillOfMaterials(folder, platform),
  })),
];

/** The names of the prerequisites that this machine lacks. */
export const missingNeeds = (part) => part.needs.filter((name) => !needs[name]());

/** The SHA-256 hashes of the files in a folder, in the form that `sha256sum --check` reads. */
export function checksumsOf(folder) {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  const line = (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`;
  return names.toSorted().map(line).join('');
}

/** Makes parts in a folder, as many at the same time as there are processors: most of the time one thread compresses. */
async function makeParts(folder, parts, { level, report }) {
  const queue = parts.values();
  const makeRemaining = async () => {
    for (const part of queue) {
      const begin = performance.now();
      await part.make(folder, { level });
      report(part.title, (performance.now() - begin) / 1_000);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, makeRemaining));
}

/** Makes the parts and `SHA256SUMS` in a new folder, and reports each part with its duration in seconds. Throws where the folder exists. */
export async function makeRelease(folder, parts, { level, prepare, report }) {
  if (existsSync(folder)) throw new Error(`${folder} exists; remove it or name another folder with --to`);
  mkdirSync(folder, { recursive: true });
  prepare();
  for (const isLast of [false, true]) {
    const now = parts.filter((part) => (part.isLast ?? false) === isLast);
    await makeParts(folder, now, { level, report });
  }
  const checksums = checksumsOf(folder);
  writeFileSync(join(folder, 'SHA256SUMS'), checksums);
  return checksums;
}

/** Throws with the names of the files that differ between two lists of checksums. */
export function assertSameChecksums(first, second) {
  const lines = [first, second].map((text) => new Set(text.split('\n')));
  const differing = lines.flatMap((own, index) =>
    [...own].filter((line) => !lines[1 - index].has(line)).map((line) => line.split('  ')[1]),
  );
  if (differing.length === 0) return;
  throw new Error(`these files differ between two builds: ${[...new Set(differing)].toSorted().join(', ')}`);
}
