import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { attempt } from './attempt.ts';
import { type Finding, failed, passed } from './finding.ts';

const unit = 'filestead.service';

/** Properties of the unit that restrict the server, and those that identify its installation. */
const properties = [
  'LoadState',
  'WorkingDirectory',
  'ProtectSystem',
  'ProtectHome',
  'ReadWritePaths',
  'RestrictNamespaces',
] as const;
type Properties = Readonly<Partial<Record<(typeof properties)[number], string>>>;

/** Whether this system was booted with systemd (sd_booted(3)). */
const isBootedWithSystemd = (): boolean => existsSync('/run/systemd/system');

/** Reads the properties of the loaded unit; null if systemd does not answer. */
async function readProperties(path: string): Promise<Properties | null> {
  const args = ['show', unit, ...properties.map((name) => `--property=${name}`)];
  const output = await attempt('systemctl', args, path);
  if (output === null) return null;
  return Object.fromEntries(
    output.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

const isBelow = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

/** A section of a drop-in for the unit, which `systemctl edit` opens. */
const dropIn = (line: string): string => `systemctl edit ${unit}, with the lines [Service] and ${line}`;

const dropInOfCommands = '/etc/systemd/system/filestead.service.d/commands.conf';

/**
 * Checks that the unit of the Debian package permits what the configuration needs. Reports nothing without systemd,
 * and for data folders that are not those of the unit.
 */
export async function checkUnit(
  { root, data, isExecEnabled, isExecUnsandboxed }: Config,
  path: string,
  isBooted: () => boolean = isBootedWithSystemd,
): Promise<Finding[]> {
  const found = await readProperties(path);
  if (found === null && isBooted()) {
    const text = `systemd does not answer this account: the restrictions of ${unit} were not checked; run doctor as root for that`;
    return [passed('unit', text, 'info')];
  }
  if (found?.LoadState !== 'loaded' || found.WorkingDirectory !== data) return [];
  const findings: Finding[] = [];
  const isInHome = ['/home', '/root', '/run/user'].some((home) => isBelow(root, home));
  if (isInHome && !['no', ''].includes(found.ProtectHome ?? '')) {
    const text = `the unit hides home folders, so ${root} cannot be served`;
    findings.push(failed('error', 'unit', text, dropIn('ProtectHome=no')));
  }
  const writable = (found.ReadWritePaths ?? '').split(' ').map((entry) => entry.replace(/^[-+]+/, ''));
  if (
    found.ProtectSystem === 'strict' &&
    !writable.some((folder) => folder !== '' && isBelow(root, folder))
  ) {
    const text = `the unit does not allow writing to ${root}: uploads and changes are refused`;
    findings.push(failed('warn', 'unit', text, dropIn(`ReadWritePaths=${root}`)));
  }
  if (isExecEnabled && !isExecUnsandboxed && found.RestrictNamespaces !== 'no') {
    const text = 'the unit allows no sandbox: commands of users are refused';
    const fix = `install -D /usr/share/filestead/commands.conf ${dropInOfCommands} && systemctl daemon-reload && systemctl restart filestead`;
    findings.push(failed('error', 'unit', text, fix));
  }
  return findings.length > 0 ? findings : [passed('unit', `${unit} permits what is configured`)];
}
