import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archive } from '../../scripts/archive.mjs';
import { stageProduct, version } from '../../scripts/lib/stage-product.mjs';
import { minimalSystem } from '../../scripts/lib/minimal-system.mjs';
import { nodeBinary, nodeVersions } from '../../scripts/lib/node-binary.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import { verifyAppleSignature } from './apple-signature.mjs';
import { platformOf } from './binary-format.mjs';
import {
  bytesBelow,
  canMount,
  canSandbox,
  hasMinimalSystem,
  hasProgram,
  isQuick,
  isRoot,
  isWithin,
  median,
  megabytes,
  openTestFolder,
  password,
  quick,
  reportMissing,
  runChecked,
  systemForPackages,
} from './product.mjs';

const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
/** A fast level: the higher ones take minutes on a small machine. Releases are packed with level 6, about 12 % smaller than with 1. */
const level = isQuick ? 0 : 1;
const systemNeeds = {
  root: isRoot,
  'a minimal system': hasMinimalSystem(),
  'bwrap with namespaces': canSandbox(),
};

beforeAll(() => ensureBuilt());

describe.skipIf(
  reportMissing('the archive for linux-x64', { 'Linux on x64': isLinuxX64, xz: hasProgram('xz') }),
)('the archive for linux-x64', () => {
  const testFolder = openTestFolder();
  const unpacked = testFolder.make('with space and $x');
  const top = join(unpacked, `filestead-${version}-linux-x64`);
  const launcher = join(top, 'filestead');
  const node = join(top, 'lib', 'node');
  let unpackMs;

  beforeAll(async () => {
    const file = await archive('linux-x64', testFolder.folder, { level });
    expect(isWithin(`archive, xz -${level}`, megabytes(statSync(file).size), 55, 'MB')).toBe(true);
    const begin = performance.now();
    runChecked('tar', ['-xJf', file, '-C', unpacked]);
    unpackMs = performance.now() - begin;
  });
  afterAll(() => testFolder.remove());

  test('stays within its size limit when it is unpacked', quick, () => {
    // Node alone is 109 MB.
    expect(isWithin('archive, unpacked', megabytes(bytesBelow(top)), 150, 'MB')).toBe(true);
  });

  test('starts, and its start-up times are printed', async () => {
    const options = { cwd: testFolder.folder, env: { PATH: '/usr/bin:/bin', HOME: testFolder.folder } };
    const starts = [];
    for (let turn = 0; turn < 9; turn += 1) {
      const args = [testFolder.make('served'), '--data', join(testFolder.folder, 'data'), '--port', '0'];
      const { elapsedMs, child, ended } = await testFolder.start(launcher, args, options);
      starts.push(elapsedMs);
      child.kill('SIGTERM');
      await ended;
    }
    // Times depend on the load of the machine: printed, not asserted.
    isWithin('unpack and first start', (unpackMs + starts[0]) / 1_000, 3, 's');
    isWithin('start, median of nine', median(starts), 300, 'ms');
  });

  test(
    'contains completions, a manual page, its license and third-party licenses, and no build tools',
    quick,
    () => {
      const below = (path) => readdirSync(join(top, path)).toSorted();
      expect(below('.')).toEqual(['LICENSE', 'NOTICES', 'README.md', 'filestead', 'lib', 'share']);
      expect(below('share')).toEqual(expect.arrayContaining(['completions', 'man']));
      expect(below('lib')).toEqual([
        'bin',
        'node',
        'node-LICENSE',
        'node_modules',
        'package.json',
        'server',
        'web',
      ]);
      expect(runChecked(launcher, ['version']).stdout).toBe(`Filestead ${version}\n`);
    },
  );

  test(
    'contains the official Node binary, from which only the symbol table was stripped',
    quick,
    async () => {
      const official = readFileSync(await nodeBinary('linux-x64'));
      const shipped = readFileSync(node);
      // The offset and the number of the section headers.
      for (const program of [official, shipped]) program.fill(0, 40, 48).fill(0, 60, 64);
      const segments = Array.from({ length: official.readUInt16LE(56) }, (_, index) => 64 + index * 56);
      const ends = segments.map((at) =>
        Number(official.readBigUInt64LE(at + 8) + official.readBigUInt64LE(at + 32)),
      );
      const end = Math.max(...ends);
      expect(end).toBeGreaterThan(100_000_000);
      expect(shipped.subarray(0, end).equals(official.subarray(0, end))).toBe(true);
      expect(official.length - shipped.length).toBeGreaterThan(10_000_000);
    },
  );

  test('starts through a symbolic link and from another folder', quick, () => {
    const link = join(testFolder.make('bin'), 'fs');
    symlinkSync(launcher, link);
    expect(runChecked('./fs', ['version'], { cwd: join(testFolder.folder, 'bin') }).stdout).toBe(
      `Filestead ${version}\n`,
    );
  });

  const isMountMissing = reportMissing('the archive on a file system without execution', {
    'root that may mount': canMount(),
  });
  test.skipIf(isMountMissing)(
    'reports in one sentence that its file system is mounted without execution',
    quick,
    () => {
      const command = 'mount --bind "$0" "$0" && mount -o remount,bind,noexec "$0" && exec sh "$0/filestead"';
      const { stderr } = runChecked('unshare', ['-m', 'sh', '-c', command, top], { expected: 126 });
      expect(stderr).toMatch(/^filestead: .*lib\/node may not be run: .* noexec\n$/);
    },
  );

  const isSystemMissing = reportMissing('the archive in a minimal Debian', systemNeeds);
  describe.skipIf(isSystemMissing).each([
    ['bookworm', quick],
    ['bullseye', {}],
  ])('in a minimal Debian (%s)', (release, options) => {
    test('passes all checks without Node and network, as an ordinary user and read-only', options, () => {
      const name = release === 'bookworm' ? 'minimal' : `minimal-${release}`;
      const system = isQuick ? systemForPackages() : minimalSystem(name, { release });
      const inside = '/opt/with space and $x';
      const { stdout } = runChecked(
        'bwrap',
        [
          ['--unshare-all', '--uid', '1000', '--gid', '1000', '--die-with-parent', '--clearenv'],
          ['--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', '/tmp'],
          ['--tmpfs', '/'],
          // Debian 11 has them beside /usr and not in it.
          ['usr', 'etc', 'bin', 'sbin', 'lib', 'lib64'].flatMap((name) => [
            '--ro-bind',
            `${system}/${name}`,
            `/${name}`,
          ]),
          ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', top, inside],
          ['--ro-bind', import.meta.dirname, '/test', '--remount-ro', '/', '--chdir', '/tmp'],
          ['sh', '/test/in-fresh-system.sh', `${inside}/filestead`, `${inside}/lib/node`, 'film'],
        ].flat(),
      );
      expect(stdout).toContain('smoke: 34 of 36 checks passed');
    });
  });

  test('passes all checks on this machine with its own Node', async () => {
    const { match } = await testFolder.start(launcher, [testFolder.make('checked'), '--port', '0'], {
      env: { PATH: process.env.PATH, HOME: testFolder.folder, FILESTEAD_PASSWORD: password },
    });
    const script = join(import.meta.dirname, 'smoke.mjs');
    const skipped = hasProgram('ffmpeg') ? '' : 'film';
    expect(runChecked(node, [script, match[1], password, skipped]).stdout).toContain(
      `smoke: ${skipped === '' ? 36 : 34} of 36 checks passed`,
    );
  });
});

/** The native libraries that a tree must contain, by patterns of their paths. */
const nativeLibraries = [/argon2.*\.node$/, /lz4.*\.node$/, /snappy.*\.node$/, /sharp.*\.node$/, /libvips/];

describe('the file tree for', () => {
  const testFolder = openTestFolder();
  afterAll(() => testFolder.remove());

  test.each(Object.keys(nodeVersions.platforms))(
    '%s contains every native library and none for another platform',
    async (platform) => {
      const folder = testFolder.make(platform);
      await stageProduct(folder, platform);
      const files = readdirSync(folder, { recursive: true }).filter((name) =>
        statSync(join(folder, name)).isFile(),
      );
      const natives = files.filter((name) => platformOf(join(folder, name)) !== null);
      for (const name of natives) expect([name, platformOf(join(folder, name))]).toEqual([name, platform]);
      expect(natives).toContain(nodeVersions.platforms[platform].file);
      for (const part of nativeLibraries) expect(natives.filter((name) => part.test(name))).not.toEqual([]);
      for (const file of ['bin/filestead.js', 'server/dist/main.js', 'web/dist/index.html', 'node-LICENSE']) {
        expect(files).toContain(file);
      }
      const { licenseSha256, licenseFrom } = nodeVersions.platforms[platform];
      const license = createHash('sha256')
        .update(readFileSync(join(folder, 'node-LICENSE')))
        .digest('hex');
      expect(license).toBe(licenseSha256 ?? nodeVersions.platforms[licenseFrom].licenseSha256);
    },
  );
});

describe('Node for', () => {
  const foundation = 'CN=Developer ID Application: Node.js Foundation (HX7739G8FX)';
  const isOpensslMissing = reportMissing('signatures for macOS', { openssl: hasProgram('openssl') });
  test.skipIf(isOpensslMissing).each(['darwin-x64', 'darwin-arm64'])(
    '%s has a valid signature of its publisher, with a chain up to the root certificate of Apple',
    async (platform) => {
      expect(verifyAppleSignature(await nodeBinary(platform))).toContain(foundation);
    },
  );
});
