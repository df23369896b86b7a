// node scripts/sbom.mjs [PLATFORM]: prints the bill of materials of an archive as a CycloneDX 1.6 document: the packages of both
// bundles, the packages installed beside them, the libraries inside libvips, and Node.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockedPackage, lockedPackages } from './lib/locked-packages.mjs';
import { nodeVersions, thisPlatform } from './lib/node-binary.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';
import { onlyInClones, shippedNode, sourceTime, version } from './lib/stage-product.mjs';

/** Returns the packages listed in the notices of the build: `name version: license` between lines of dashes. */
function packagesOfNotices() {
  const text = readFileSync(join(top, 'server', 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const titles = text.matchAll(/^-{80}\n(@?\S+) (\d+\.\d+\.\d+\S*): (.+)\n-{80}$/gm);
  return [...titles].map(([, name, packageVersion, license]) => ({
    name,
    version: packageVersion,
    license: license.replace(/, used under .*/, ''),
  }));
}

/** Whether the package is only for other platforms. Bundled packages are for all platforms. */
function isForeign(name, installed) {
  const locked = lockedPackage(`node_modules/${name}`);
  return (locked.os ?? locked.cpu) !== undefined && !installed.has(name);
}

const component = ({ name, version: packageVersion, license }, type = 'library') => ({
  type,
  'bom-ref': `pkg:npm/${name.replace('@', '%40')}@${packageVersion}`,
  name,
  version: packageVersion,
  ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  purl: `pkg:npm/${name.replace('@', '%40')}@${packageVersion}`,
});

/** Returns the libraries inside libvips for the platform; none if its package is not installed here. */
function librariesOf(platform) {
  const path = join(
    top,
    'node_modules',
    '@img',
    `sharp-libvips-${platform.replace(/^win-/, 'win32-')}`,
    'versions.json',
  );
  if (!existsSync(path)) return [];
  return Object.entries(JSON.parse(readFileSync(path, 'utf8'))).map(([name, libraryVersion]) => ({
    type: 'library',
    'bom-ref': `pkg:generic/${name}@${libraryVersion}`,
    name,
    version: libraryVersion,
    purl: `pkg:generic/${name}@${libraryVersion}`,
  }));
}

/** Returns the pedigree of a Node binary that is shipped without its symbol table: it derives from the official one. */
const pedigreeOf = ({ version: nodeVersion, sha256 }) => ({
  ancestors: [
    {
      type: 'platform',
      name: 'node',
      version: nodeVersion,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
      purl: `pkg:generic/node@${nodeVersion}`,
    },
  ],
  notes: 'without its symbol table and debugging information; all loaded bytes are the same',
});

/** Returns the document for an archive of the platform. The same sources result in the same document. */
export async function sbom(platform) {
  const { external } = await import('./build-server.mjs');
  const installed = new Set(lockedPackages(external, platform).map((key) => lockedPackage(key).name));
  const packages = packagesOfNotices().filter(
    ({ name }) => !onlyInClones.has(name) && !isForeign(name, installed),
  );
  const node = nodeVersions.platforms[platform];
  const shippedSha256 = createHash('sha256')
    .update(await shippedNode(platform))
    .digest('hex');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(sourceTime() * 1_000).toISOString(),
      component: { type: 'application', 'bom-ref': 'filestead', name: 'filestead', version },
    },
    components: [
      {
        type: 'platform',
        'bom-ref': `pkg:generic/node@${node.version}`,
        name: 'node',
        version: node.version,
        hashes: [{ alg: 'SHA-256', content: shippedSha256 }],
        purl: `pkg:generic/node@${node.version}`,
        ...(shippedSha256 !== node.sha256 && { pedigree: pedigreeOf(node) }),
      },
      ...packages.map((entry) => component(entry)),
      ...librariesOf(platform),
    ],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureInstalled();
  ensureBuilt();
  console.log(JSON.stringify(await sbom(process.argv[2] ?? thisPlatform), null, 2));
}
