import { beforeAll, expect, test } from 'vitest';
import { nodeVersions } from '../../scripts/lib/node-binary.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import { sbom } from '../../scripts/sbom.mjs';

beforeAll(() => ensureBuilt());

test.each(Object.keys(nodeVersions.platforms))(
  'the bill of materials for %s names bundled and installed packages and Node, each once',
  async (platform) => {
    const { components, specVersion } = await sbom(platform);
    const names = components.map(({ name }) => name);
    const node = components.find(({ name }) => name === 'node');
    const official = nodeVersions.platforms[platform].sha256;
    const upstream = platform.startsWith('linux-') ? node.pedigree.ancestors[0] : node;
    expect(upstream.hashes).toEqual([{ alg: 'SHA-256', content: official }]);
    expect(specVersion).toBe('1.6');
    expect(names).toEqual(expect.arrayContaining(['node', 'fastify', 'react', 'sharp', 'bcryptjs']));
    expect(names).toContain(`@img/sharp-${platform.replace(/^win-/, 'win32-')}`);
    expect(names).not.toContain('@photostructure/sqlite');
    const references = components.map((one) => one['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    const other = platform === 'linux-x64' ? 'darwin-arm64' : 'linux-x64';
    expect(names).not.toContain(`@img/sharp-${other}`);
    for (const { purl, version } of components) {
      expect(purl).toMatch(/^pkg:(?:npm|generic)\//);
      expect(version).toMatch(/\d/);
    }
  },
);
