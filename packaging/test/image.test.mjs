import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { image, stageImage } from '../../scripts/image.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import {
  hasProgram,
  reportMissing,
  isRoot,
  isWithin,
  megabytes,
  openTestFolder,
  runProgram,
} from './product.mjs';

const isMissing = reportMissing('the image', {
  root: isRoot,
  x64: process.arch === 'x64',
  'apt-get': hasProgram('apt-get'),
  bwrap: hasProgram('bwrap'),
});

describe.skipIf(isMissing)('the image', () => {
  const testFolder = openTestFolder();
  const root = join(testFolder.folder, 'context', 'root');
  let count = 0;

  beforeAll(async () => {
    ensureBuilt();
    const context = testFolder.make('context');
    await stageImage(context);
    runProgram('mv', [join(context, 'app'), join(root, 'usr/lib/filestead')]);
    runProgram('cp', [join(context, 'entrypoint.sh'), join(root, 'entrypoint.sh')]);
    mkdirSync(join(root, 'test'));
  });
  afterAll(() => testFolder.remove());

  /** Creates volumes that belong to `owner`. Returns pairs of folder and mount point. */
  function volumes(owner) {
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

  /** Runs a program in the image as an ordinary user without capabilities, on a read-only root and without network. */
  const runUnprivileged = (mounts, env, args, options = {}) =>
    runProgram(
      'setpriv',
      [
        [
          '--reuid',
          '1000',
          '--regid',
          '1000',
          '--clear-groups',
          'bwrap',
          '--unshare-all',
          '--die-with-parent',
        ],
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

  /** Runs a program in the image as root, as a container without `--user` does. */
  const runAsRoot = (mounts, env, args, options = {}) => {
    const script = [
      'mount --make-rprivate /',
      'mount --bind "$ROOT" "$ROOT"',
      'mount -t proc proc "$ROOT/proc"',
      'mount --rbind /dev "$ROOT/dev"',
      'mount -t tmpfs tmpfs "$ROOT/tmp"',
      'mount --bind "$TEST" "$ROOT/test"',
      ...mounts.map(([folder, target]) => `mount --bind '${folder}' "$ROOT${target}"`),
      'ip link set lo up 2> /dev/null || true',
      'exec chroot "$ROOT" "$@"',
    ].join('\n');
    const own = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: root, TEST: import.meta.dirname };
    const all = { FILESTEAD_PORT: '8080', ...env, ...own };
    return runProgram('unshare', ['-mpnf', '--kill-child', 'sh', '-c', script, 'sh', ...args], {
      env: all,
      ...options,
    });
  };

  test('stays within its size limit', () => {
    const tar = runProgram('tar', ['-C', root, '-cf', '-', '.'], { encoding: 'buffer' }).stdout;
    expect(isWithin('image, gzip', megabytes(gzipSync(tar, { level: 6 }).length), 70, 'MB')).toBe(true);
  });

  test('passes all checks read-only, as an ordinary user and without capabilities', () => {
    const { stdout } = runUnprivileged(volumes(1000), {}, ['/bin/sh', '/test/image-check.sh']);
    expect(stdout).toContain('ready\nsmoke: 34 of 36 checks passed\n');
    expect(stdout).toContain('NoNewPrivs: 1\n');
    expect(stdout).toContain('CapEff: 0000000000000000\n');
    expect(stdout).toContain('STOPPED');
  });

  test('started as root, serves as PUID and PGID with UMASK and without capabilities', () => {
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
  ])('refuses %j before anything is changed', (env, message) => {
    const mounts = volumes(0);
    const { stderr } = runAsRoot(mounts, env, ['/entrypoint.sh'], { expected: 64 });
    expect(stderr).toContain(message);
    expect(runProgram('stat', ['-c', '%u', mounts[1][0]]).stdout).toBe('0\n');
  });

  test('explains the error when Docker has created a folder instead of the database', () => {
    const mounts = volumes(1000);
    mkdirSync(join(mounts[1][0], 'filestead.db'));
    const { stderr } = runUnprivileged(mounts, {}, ['/entrypoint.sh'], { expected: 64 });
    expect(stderr).toContain('/database/filestead.db is a folder');
    expect(stderr).toContain('./database:/database');
  });

  test('imports a database of File Browser on request, and does not serve before', () => {
    const mounts = volumes(1000);
    const former = join(mounts[1][0], 'filebrowser.db');
    const script = new URL('../../server/test/fixtures/filebrowser-data.ts', import.meta.url).href;
    const code = `import { writeFormerDatabase, formerUser } from ${JSON.stringify(script)};
      process.stdout.write(writeFormerDatabase({ users: [formerUser({ perm: { admin: true } })] }));`;
    const created = runProgram(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
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

describe.skipIf(isMissing || reportMissing('the build of the image', { buildah: hasProgram('buildah') }))(
  'the Dockerfile',
  () => {
    test('builds', async () => {
      ensureBuilt();
      const name = await image();
      const { stdout } = runProgram('buildah', [
        '--storage-driver',
        'vfs',
        'inspect',
        '--type',
        'image',
        name,
      ]);
      const { config } = JSON.parse(stdout).Docker;
      expect(config).toMatchObject({ Entrypoint: ['/entrypoint.sh'], ExposedPorts: { '80/tcp': {} } });
      expect(config.Healthcheck.Test).toEqual(['CMD', '/entrypoint.sh', 'healthcheck']);
      expect(config.Volumes ?? {}).toEqual({});
      runProgram('buildah', ['--storage-driver', 'vfs', 'rmi', name]);
    });
  },
);
