import type { Config } from '../../config/config.ts';
import { explainError } from '../../start/explain-error.ts';
import { systemWatchLimit } from '../../storage/observe/folder-watches.ts';
import { version } from '../../version.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { checkDatabase } from './check-database.ts';
import { checkCache, checkData, checkFileSystem, checkLog, checkRoot } from './check-folders.ts';
import { checkCertificate, checkServer } from './check-network.ts';
import { checkProxy } from './check-proxy.ts';
import { checkUnit } from './check-unit.ts';
import {
  checkFfmpeg,
  checkNode,
  checkOpenFiles,
  checkPictures,
  checkSandbox,
  checkWatches,
} from './check-programs.ts';
import { type Finding, worstOf, failed } from './finding.ts';

/** Runs all checks of a configuration, in the order of the report. */
async function checkAll(config: Config, path: string, url: string | undefined): Promise<Finding[]> {
  const now = Date.now();
  const checks: readonly (readonly [string, () => Finding[] | Promise<Finding[]>])[] = [
    ['node', () => checkNode(process.versions.node)],
    ['root', () => checkRoot(config)],
    ['data', () => checkData(config)],
    ['disk', () => checkFileSystem(config)],
    ['database', () => checkDatabase(config, now)],
    ['cache', () => checkCache(config)],
    ['log', () => checkLog(config)],
    ['files', checkOpenFiles],
    ['watches', () => checkWatches(config, systemWatchLimit())],
    ['tls', () => checkCertificate(config, now)],
    ['server', () => checkServer(config)],
    ['proxy', () => (url === undefined ? [] : checkProxy(config, url))],
    ['pictures', () => checkPictures(config)],
    ['ffmpeg', () => checkFfmpeg(path)],
    ['sandbox', () => checkSandbox(config, path)],
    ['unit', () => checkUnit(config, path)],
  ];
  const findings: Finding[] = [];
  for (const [check, run] of checks) {
    try {
      findings.push(...(await run()));
    } catch (error) {
      const text = `could not be checked: ${explainError(error)}`;
      findings.push(failed('error', check, text, 'run doctor as the account of the server'));
    }
  }
  return findings;
}

const lineOf = ({ state, check, text, fix }: Finding): string =>
  `${state.padEnd(5)} ${check.padEnd(8)}  ${text}${fix === null ? '' : `\n${' '.repeat(16)}→ ${fix}`}`;

const numberIn = (findings: readonly Finding[], state: Finding['state']): number =>
  findings.filter((finding) => finding.state === state).length;

/**
 * `doctor`: checks configuration, disks, database, network and helper programs, and prints a remedy for each
 * problem. Throws {@link CliError} with status 1 for warnings and 2 for errors.
 */
export async function runDoctor(call: CommandCall): Promise<void> {
  const { options, terminal } = call;
  const flags = options.names.filter((name) => !['json', 'url'].includes(name));
  const findings: Finding[] = [];
  try {
    const config = await configOf(call, { flags });
    const path = terminal.env.PATH ?? process.env.PATH ?? '';
    findings.push(...(await checkAll(config, path, options.text('url'))));
  } catch (error) {
    const text = `${explainError(error)}: the server will not start`;
    findings.push(failed('error', 'config', text, 'filestead --help, or docs/reference/configuration.md'));
  }
  const status = worstOf(findings);
  if (options.isOn('json') === true) terminal.print(JSON.stringify({ version, status, findings }, null, 2));
  else for (const finding of findings) terminal.print(lineOf(finding));
  if (status === 'ok') return;
  const errors = countOf(numberIn(findings, 'error'), 'error');
  const summary = `${errors}, ${countOf(numberIn(findings, 'warn'), 'warning')}`;
  throw new CliError(summary, { status: status === 'error' ? 2 : 1 });
}
