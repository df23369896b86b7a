import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../scripts/lib/stage-product.mjs';
import { buildImage, stageImage } from '../../scripts/image.mjs';
import { minimalSystem } from '../../scripts/lib/minimal-system.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import {
  bytesBelow,
  canMount,
  canSandbox,
  hasProgram,
  isQuick,
  isWithin,
  megabytes,
  openTestFolder,
  quick,
  reportMissing,
  runChecked,
} from './product.mjs';

const isMissing = reportMissing('the image', {
  'root that may mount': canMount(),
  x64: process.arch === 'x64',
  'apt-get': hasProgram('apt-get'),
  'bwrap with namespaces': canSandbox(),
});

let count = 0;

/** Creates volumes that belong to `owner`. Returns pairs of folder and mount point. */
function createVolumes(testFolder, owner) {
  count += 1;
  const folders = ['srv', 'database', 'config'].map((name) => [
    testFolder.make(`${count}/${name}`),
    `/${name}`,
  ]);
  for (const [folder] of folders) chownSync(folder, owner, owner);
  // Other users need access to the folders of a volume.
  chmodSync(testFolder.folder, 0o755);
  return folders;
}

/** Runs a program on the root of an image as an ordinary user without capabilities, read-only and without network. */
const runInRoot = (root, mounts, env, args, options = {}) =>
  runChecked(
    'setpriv',
    [
      ['--reuid', '1000', '--regid', '1000', '--clear-groups', 'bwrap', '--unshare-all', '--die-with-parent'],
      ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--clearenv'],
      mounts.flatMap(([folder, target]) => ['--bind', folder, target]),
      ['--ro-bind', import.meta.dirname, '/test'],
      Object.entries({ PATH: '/usr/bin:/bin', FILESTEAD_PORT: '8080', ...env }).flatMap(([name, value]) => [
        '--setenv',
        name,
        value,
      ]),
      args,
    ].flat(),
    options,
  );

/** Runs a program on the root of an image as root, as a container without `--user` does. */
const runInRootAsRoot = (root, mounts, env, args, options = {}) => {
  const script = [
    'mount --make-rprivate /',
    'mount --bind "$ROOT" "$ROOT"',
    'mount -t proc proc "$ROOT/proc"',
    'mount --rbind /dev "$ROOT/dev"',
    'mount -t tmpfs tmpfs "$ROOT/tmp"',
    'mount --bind "$TEST" "$ROOT/test"',
    ...mounts.map(([folder, target]) => `mount --bind '${folder}' "$ROOT${target}"`),
    // A machine without iproute2 has it as an applet in the image.
    'ip link set lo up 2> /dev/null || chroot "$ROOT" busybox ip link set lo up 2> /dev/null || true',
    'exec chroot "$ROOT" "$@"',
  ].join('\n');
  const own = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: root, TEST: import.meta.dirname };
  const all = { FILESTEAD_PORT: '8080', ...env, ...own };
  return runChecked('unshare', ['-mpnf', '--kill-child', 'sh', '-c', script, 'sh', ...args], {
    env: all,
    ...options,
  });
};

/** The build context, which the tests of the image and those of the Dockerfile share. */
const contextFolder = openTestFolder();
const context = join(contextFolder.folder, 'context');
beforeAll(async () => {
  if (isMissing) return;
  ensureBuilt();
  await stageImage(context);
});
afterAll(() => contextFolder.remove());

describe.skipIf(isMissing)('the image', () => {
  const testFolder = openTestFolder();
  const root = join(testFolder.folder, 'root');
  beforeAll(() => {
    runChecked('cp', ['-a', join(context, 'root'), root]);
    runChecked('cp', ['-a', join(context, 'app'), join(root, 'usr/lib/filestead')]);
    runChecked('cp', ['-a', join(context, 'entrypoint.sh'), join(root, 'entrypoint.sh')]);
    mkdirSync(join(root, 'test'));
  });
  afterAll(() => testFolder.remove());

  const runUnprivileged = (...args) => runInRoot(root, ...args);
  const runAsRoot = (...args) => runInRootAsRoot(root, ...args);
  const volumes = (owner) => createVolumes(testFolder, owner);

  test('stays within its size limit', () => {
    const tar = runChecked('tar', ['-C', root, '-cf', '-', '.'], { encoding: 'buffer' }).stdout;
    expect(isWithin('image, gzip', megabytes(gzipSync(tar, { level: 6 }).length), 70, 'MB')).toBe(true);
  });

  test('passes all checks read-only, as an ordinary user and without capabilities', quick, () => {
    const { stdout } = runUnprivileged(volumes(1000), {}, ['/bin/sh', '/test/image-check.sh']);
    expect(stdout).toContain('ready\nsmoke: 34 of 36 checks passed\n');
    expect(stdout).toContain('NoNewPrivs: 1\n');
    expect(stdout).toContain('CapEff: 0000000000000000\n');
    expect(stdout).toContain('STOPPED');
  });

  test('started as root, serves as PUID and PGID with UMASK and without capabilities', quick, () => {
    const env = { PUID: '1050', PGID: '1051', UMASK: '027' };
    const mounts = volumes(0);
    chownSync(mounts[0][0], 1050, 1051);
    const { stdout } = runAsRoot(mounts, env, ['/bin/sh', '/test/image-check.sh']);
    expect(stdout).toContain('smoke: 34 of 36 checks passed\n');
    expect(stdout).toContain('Uid: 1050 1050 1050 1050\nGid: 1051 1051 1051 1051\n');
    expect(stdout).toMatch(/^Groups: +$/m);
    expect(stdout).toContain('CapBnd: 0000000000000000\nNoNewPrivs: 1\n');
    expect(stdout).toContain('MODE 1050:1051 640\nSTOPPED\n');
  });

  test.each([
    [{ PUID: 'abc' }, 'PUID: “abc”'],
    [{ PGID: '-1' }, 'PGID: “-1”'],
    [{ UMASK: '9' }, 'UMASK: “9”'],
  ])('refuses %j before anything is changed', quick, (env, message) => {
    const mounts = volumes(0);
    const { stderr } = runAsRoot(mounts, env, ['/entrypoint.sh'], { expected: 64 });
    expect(stderr).toContain(message);
    expect(runChecked('stat', ['-c', '%u', mounts[1][0]]).stdout).toBe('0\n');
  });

  test('explains the error when Docker has created a folder instead of the database', quick, () => {
    const mounts = volumes(1000);
    mkdirSync(join(mounts[1][0], 'filestead.db'));
    const { stderr } = runUnprivileged(mounts, {}, ['/entrypoint.sh'], { expected: 64 });
    expect(stderr).toContain('/database/filestead.db is a folder');
    expect(stderr).toContain('./database:/database');
  });

  test('imports a database of File Browser on request, and serves nothing before', () => {
    const mounts = volumes(1000);
    const former = join(mounts[1][0], 'filebrowser.db');
    const script = new URL('../../server/test/fixtures/filebrowser-data.ts', import.meta.url).href;
    const code = `import { writeFormerDatabase, formerUser } from ${JSON.stringify(script)};
      process.stdout.write(writeFormerDatabase({ users: [formerUser({ perm: { admin: true } })] }));`;
    const created = runChecked(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      encoding: 'buffer',
    });
    writeFileSync(former, created.stdout);
    chownSync(former, 1000, 1000);
    const { stderr } = runUnprivileged(mounts, {}, ['/entrypoint.sh'], { expected: 64 });
    expect(stderr).toContain('/database/filebrowser.db is a database of File Browser');
    expect(stderr).toContain('FILESTEAD_IMPORT=yes');
    runUnprivileged(mounts, { FILESTEAD_IMPORT: 'yes' }, ['/bin/sh', '/test/import-check.sh']);
    const report = readFileSync(join(mounts[1][0], 'import-report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ isDryRun: false, imported: { users: 1 } });
    expect(readFileSync(former)).toEqual(created.stdout);
  });
});

const isBuildMissing =
  isMissing || reportMissing('the build of the image', { buildah: hasProgram('buildah') });
describe.skipIf(isBuildMissing)('the Dockerfile', () => {
  const testFolder = openTestFolder();
  const buildah = (...args) => runChecked('buildah', ['--storage-driver', 'vfs', ...args]);
  const names = {
    // Dockerfile.ffmpeg has the name with the version. Quick runs may be made at the same time.
    product: isQuick ? `filestead-test:${process.pid}` : `filestead:${version}`,
    withFfmpeg: `filestead:${version}-ffmpeg`,
    base: 'debian:12-slim',
  };

  beforeAll(() => buildImage(context, { name: names.product }));
  afterAll(async () => {
    const built = isQuick ? [names.product] : [names.withFfmpeg, names.base, names.product];
    for (const name of built) {
      runChecked('sh', [
        '-c',
        'buildah --storage-driver vfs rmi --force "$0" > /dev/null 2>&1 || true',
        name,
      ]);
    }
    await testFolder.remove();
  });

  test('builds an image with its entry point, port and health check, and without volumes', quick, () => {
    const { config } = JSON.parse(buildah('inspect', '--type', 'image', names.product).stdout).Docker;
    expect(config).toMatchObject({ Entrypoint: ['/entrypoint.sh'], ExposedPorts: { '80/tcp': {} } });
    expect(config.Healthcheck.Test).toEqual(['CMD', '/entrypoint.sh', 'healthcheck']);
    expect(config.Volumes ?? {}).toEqual({});
  });

  test.skipIf(reportMissing('the image with ffmpeg', { mmdebstrap: hasProgram('mmdebstrap') }))(
    'builds with ffmpeg on a minimal Debian, and passes the checks of films too',
    () => {
      // A minimal Debian from this machine instead of Debian's image, so that no image registry is needed.
      const system = buildah('from', 'scratch').stdout.trim();
      buildah('copy', '--quiet', system, minimalSystem('minimal'), '/');
      buildah('config', '--env', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', system);
      buildah('commit', '--quiet', '--rm', system, names.base);
      const dockerfile = join(import.meta.dirname, '..', 'image', 'Dockerfile.ffmpeg');
      buildah(
        'bud',
        '--isolation=chroot',
        '--pull=never',
        '--format=docker',
        `--file=${dockerfile}`,
        `--tag=${names.withFfmpeg}`,
        testFolder.make('context'),
      );
      const container = buildah('from', '--pull=never', names.withFfmpeg).stdout.trim();
      try {
        const root = buildah('mount', container).stdout.trim();
        for (const name of ['srv', 'database', 'config', 'test'])
          mkdirSync(join(root, name), { recursive: true });
        isWithin('image with ffmpeg, unpacked', megabytes(bytesBelow(root)), Infinity, 'MB');
        const args = ['/bin/sh', '/test/image-check.sh', ''];
        const { stdout } = runInRootAsRoot(root, createVolumes(testFolder, 1000), {}, args);
        expect(stdout).toContain('ready\nsmoke: 36 of 36 checks passed\n');
        expect(stdout).toContain('Uid: 1000 1000 1000 1000\n');
        const commands = runInRootAsRoot(root, [], {}, [
          'bwrap',
          '--bind',
          '/',
          '/',
          '--dev',
          '/dev',
          'true',
        ]);
        expect(commands.stderr).toBe('');
      } finally {
        buildah('rm', container);
      }
    },
  );
});
