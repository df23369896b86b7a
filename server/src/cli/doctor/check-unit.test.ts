import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../config/config.ts';
import { checkUnit } from './check-unit.ts';
import type { Finding } from './finding.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-unit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = '/var/lib/filestead';

/** Checks a configuration on a machine whose `systemctl` prints these properties in addition to those of the package. */
function check(
  changes: Readonly<Record<string, string>>,
  given: Partial<Pick<Config, 'root' | 'isExecEnabled' | 'isExecUnsandboxed'>> = {},
): Promise<Finding[]> {
  const properties = {
    LoadState: 'loaded',
    WorkingDirectory: data,
    ProtectSystem: 'strict',
    ProtectHome: 'yes',
    ReadWritePaths: '-/srv/filestead',
    RestrictNamespaces: 'yes',
    ...changes,
  };
  const lines = Object.entries(properties).map(([name, value]) => `echo '${name}=${value}'`);
  const program = join(folder, 'systemctl');
  writeFileSync(program, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(program, 0o755);
  const config = { root: '/srv/filestead', data, isExecEnabled: false, isExecUnsandboxed: false, ...given };
  return checkUnit(config as Config, `${folder}:/bin:/usr/bin`);
}
const textsOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ state, text, fix }) => `${state} ${text}${fix === null ? '' : ` → ${fix}`}`);

test('the configuration of the package is permitted', async () => {
  expect(textsOf(await check({}))).toEqual(['ok filestead.service permits what is configured']);
  expect(textsOf(await check({}, { root: '/srv/filestead/team' }))).toEqual([
    'ok filestead.service permits what is configured',
  ]);
});

test('the lines of a drop-in that other folders need are printed', async () => {
  expect(textsOf(await check({}, { root: '/mnt/photos' }))).toEqual([
    'warn the unit does not allow writing to /mnt/photos: uploads and changes are refused → systemctl edit filestead.service, with the lines [Service] and ReadWritePaths=/mnt/photos',
  ]);
  expect(textsOf(await check({}, { root: '/srv/filestead-old' }))).toHaveLength(1);
  expect(textsOf(await check({ ReadWritePaths: '-/home/ann' }, { root: '/home/ann' }))).toEqual([
    'error the unit hides home folders, so /home/ann cannot be served → systemctl edit filestead.service, with the lines [Service] and ProtectHome=no',
  ]);
  const changed = { ReadWritePaths: '-/srv/filestead /home/ann', ProtectHome: 'no' };
  expect(textsOf(await check(changed, { root: '/home/ann' }))).toEqual([
    'ok filestead.service permits what is configured',
  ]);
});

test('commands of users need the drop-in of the package, unless they run without a sandbox', async () => {
  const [refused] = await check({}, { isExecEnabled: true });
  expect(refused).toMatchObject({ state: 'error', check: 'unit' });
  expect(refused?.fix).toContain('install -D /usr/share/filestead/commands.conf /etc/systemd/system/');
  const permitted = await check({ RestrictNamespaces: 'no' }, { isExecEnabled: true });
  expect(permitted).toMatchObject([{ state: 'ok' }]);
  const unsandboxed = await check({}, { isExecEnabled: true, isExecUnsandboxed: true });
  expect(unsandboxed).toMatchObject([{ state: 'ok' }]);
});

test('nothing is reported without a unit, and for the data of another installation', async () => {
  expect(await check({ LoadState: 'not-found' })).toEqual([]);
  expect(await check({ WorkingDirectory: '/var/lib/other' })).toEqual([]);
  rmSync(join(folder, 'systemctl'));
  const config = { root: '/srv/filestead', data, isExecEnabled: false, isExecUnsandboxed: false };
  expect(await checkUnit(config as Config, folder, () => false)).toEqual([]);
});

test('a systemd that does not answer is reported', async () => {
  const program = join(folder, 'systemctl');
  writeFileSync(program, '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n', { mode: 0o755 });
  const config = { root: '/srv/filestead', data, isExecEnabled: false, isExecUnsandboxed: false };
  const path = `${folder}:/bin:/usr/bin`;
  expect(textsOf(await checkUnit(config as Config, path, () => true))).toEqual([
    'info systemd does not answer this account: the restrictions of filestead.service were not checked; run doctor as root for that',
  ]);
  expect(await checkUnit(config as Config, path, () => false)).toEqual([]);
});
