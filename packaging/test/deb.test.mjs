import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../scripts/lib/stage-product.mjs';
import { deb } from '../../scripts/deb.mjs';
import { ensureBuilt } from '../../scripts/lib/prepare.mjs';
import {
  canBootSystemd,
  hasMinimalSystem,
  hasProgram,
  isQuick,
  isRoot,
  openTestFolder,
  quick,
  reportMissing,
  runChecked,
  systemForPackages,
} from './product.mjs';

const isMissing = reportMissing('the Debian package', {
  root: isRoot,
  x64: process.arch === 'x64',
  'dpkg-deb': hasProgram('dpkg-deb'),
  'a minimal system': hasMinimalSystem(),
});

describe.skipIf(isMissing)('the Debian package', () => {
  const testFolder = openTestFolder();
  const root = join(testFolder.folder, 'system');
  const inSystem = (...args) =>
    runChecked('chroot', [root, ...args], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  let file;

  beforeAll(async () => {
    ensureBuilt();
    file = await deb(testFolder.folder, { compression: isQuick ? 'none' : 'xz', level: 0 });
    // A copy with all permissions and owners, because packages are installed in it.
    runChecked('cp', ['-a', systemForPackages(), root]);
    copyFileSync(file, join(root, 'filestead.deb'));
    mkdirSync(join(root, 'test'));
    cpSync(import.meta.dirname, join(root, 'test'), { recursive: true });
  });
  afterAll(() => testFolder.remove());

  /** Builds the same package with a lower version. */
  function formerPackage() {
    const tree = testFolder.make('former');
    runChecked('dpkg-deb', ['-R', file, tree]);
    const control = join(tree, 'DEBIAN', 'control');
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1'));
    runChecked('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(root, 'former.deb')]);
  }

  /** Installs the package unless a test before has done so. */
  function ensurePackage() {
    if (!existsSync(join(root, 'usr/bin/filestead'))) inSystem('dpkg', '-i', '/filestead.deb');
  }

  test.skipIf(reportMissing('lintian of the Debian package', { lintian: hasProgram('lintian') }))(
    'has no errors and no warnings of lintian',
    () => {
      // The package contains the reasons for the tags that it overrides.
      const { stdout } = runChecked('lintian', ['--allow-root', '--fail-on', 'none', file]);
      expect(stdout.split('\n').filter((line) => /^[EW]:/.test(line))).toEqual([]);
    },
  );

  test('installs account, folders, configuration and program, and an upgrade keeps changes', quick, () => {
    inSystem('dpkg', '-P', 'filestead');
    formerPackage();
    inSystem('dpkg', '-i', '/former.deb');
    const { mode } = statSync(join(root, 'var/lib/filestead'));
    expect(mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'srv/filestead')).mode & 0o777).toBe(0o750);
    expect(inSystem('stat', '-c', '%U', '/var/lib/filestead', '/srv/filestead').stdout).toBe(
      'filestead\nfilestead\n',
    );
    expect(inSystem('filestead', 'version').stdout).toBe(`Filestead ${version}\n`);
    const configuration = join(root, 'etc/filestead/filestead.yaml');
    appendFileSync(configuration, '# changed\n');
    writeFileSync(join(root, 'srv/filestead/kept.txt'), 'kept');
    inSystem('dpkg', '-i', '/filestead.deb');
    expect(inSystem('dpkg-query', '-W', '-f', '${Version} ${Status}', 'filestead').stdout).toBe(
      `${version} install ok installed`,
    );
    expect(readFileSync(configuration, 'utf8')).toContain('# changed');
  });

  const isSystemdMissing = reportMissing('the unit of the Debian package', {
    'root that may boot systemd': canBootSystemd(),
  });
  const unitTitle =
    'runs as a sandboxed systemd service, and its socket accepts connections during a restart';
  test.skipIf(isSystemdMissing)(unitTitle, quick, () => {
    ensurePackage();
    const dropIns = join(root, 'etc/systemd/system/filestead.service.d');
    mkdirSync(dropIns, { recursive: true });
    copyFileSync(join(import.meta.dirname, 'ci.conf'), join(dropIns, 'ci.conf'));
    const script = join(import.meta.dirname, 'unit-in-namespace.sh');
    const { stdout } = runChecked('sh', [script, root, '/test/unit-check.sh']);
    process.stdout.write(stdout.replaceAll(/^/gm, 'MEASURED: '));
    expect(stdout).toContain('STARTED\nsmoke: 34 of 36 checks passed\n');
    expect(stdout).toContain('MODE /var/lib/filestead filestead 700\n');
    expect(stdout).toContain('MODE /var/lib/filestead/filestead.db filestead 600\n');
    expect(stdout).toContain('MODE /srv/filestead/docs/report.txt filestead 640\n');
    expect(stdout).toContain('RELOADED\nSTOPPED success\nSOCKET\nRESTARTED\nLOAD answered=many errors=\n');
    expect(stdout).toContain('FAILED UNITS 0\nPASSWORDS IN THE JOURNAL 0\n');
    const scoreOf = (name) => Number(new RegExp(`^SCORE ${name} ([0-9.]+)$`, 'm').exec(stdout)?.[1]);
    expect(scoreOf('unit')).toBeLessThanOrEqual(1.5);
    expect(scoreOf('commands')).toBeLessThanOrEqual(2.6);
  });

  test(
    'keeps data and files when it is removed, and only the files of users when it is purged',
    quick,
    () => {
      ensurePackage();
      writeFileSync(join(root, 'var/lib/filestead/filestead.db'), 'kept', { flag: 'a' });
      writeFileSync(join(root, 'srv/filestead/kept.txt'), 'kept');
      inSystem('dpkg', '-r', 'filestead');
      expect(existsSync(join(root, 'usr/lib/filestead'))).toBe(false);
      expect(existsSync(join(root, 'var/lib/filestead/filestead.db'))).toBe(true);
      inSystem('dpkg', '-P', 'filestead');
      expect(existsSync(join(root, 'var/lib/filestead'))).toBe(false);
      expect(existsSync(join(root, 'etc/filestead'))).toBe(false);
      expect(readFileSync(join(root, 'srv/filestead/kept.txt'), 'utf8')).toBe('kept');
    },
  );
});
