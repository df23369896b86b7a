import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { archive } from '../../scripts/archive.mjs';
import { deb } from '../../scripts/deb.mjs';
import { imageArchive } from '../../scripts/image.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import { pack } from '../../scripts/pack.mjs';
import { hasProgram, isRoot, reportMissing, openTestFolder } from './product.mjs';

const testFolder = openTestFolder();
beforeAll(() => ensureBuilt());
afterEach(() => vi.unstubAllEnvs());
afterAll(() => testFolder.remove());

const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The hashes of two packages that `make` writes into different folders and in different time zones. */
async function twoHashes(make) {
  const hashes = [];
  for (const zone of ['UTC', 'Asia/Tokyo']) {
    vi.stubEnv('TZ', zone);
    hashes.push(hashOf(await make(testFolder.make(zone.replace('/', '-')))));
  }
  return hashes;
}

test('the npm package is the same when it is made twice', async () => {
  const [first, second] = await twoHashes(pack);
  expect(second).toBe(first);
});

const isMissing = reportMissing('reproducible archives', { xz: hasProgram('xz') });
test.skipIf(isMissing).each(['linux-x64', 'win-x64'])('the archive for %s is the same', async (platform) => {
  const [first, second] = await twoHashes((folder) => archive(platform, folder, { level: 0 }));
  expect(second).toBe(first);
});

describe.skipIf(reportMissing('the reproducible Debian package', { 'dpkg-deb': hasProgram('dpkg-deb') }))(
  'the Debian package',
  () => {
    test('is the same when it is made twice', async () => {
      const [first, second] = await twoHashes((folder) => deb(folder, { compression: 'none', level: 0 }));
      expect(second).toBe(first);
    });
  },
);

const imageNeeds = {
  root: isRoot,
  x64: process.arch === 'x64',
  'apt-get': hasProgram('apt-get'),
  buildah: hasProgram('buildah'),
};
test.skipIf(reportMissing('the reproducible image', imageNeeds))(
  'the image is the same when it is made twice',
  async () => {
    const [first, second] = await twoHashes((folder) => imageArchive(folder, { level: 1 }));
    expect(second).toBe(first);
  },
);
