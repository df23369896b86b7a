import { userInfo } from 'node:os';
import type { AuditEvent, AuditTarget } from '@filestead/contract/audit';
import { auditRecord } from '../audit/audit-record.ts';
import { isAppError } from '../errors.ts';
import { openLog } from '../start/open-log.ts';
import type { CommandCall } from './command.ts';
import { configOf } from './common-options.ts';

/** Audit events of the commands that change stored data. */
export const auditedCommands: Readonly<Record<string, AuditEvent>> = {
  'config init': 'settings.update',
  'config set': 'settings.update',
  'config import': 'data.import',
  'users add': 'user.create',
  'users update': 'user.update',
  'users rm': 'user.delete',
  'users import': 'data.import',
  'rules add': 'rule.add',
  'rules rm': 'rule.remove',
  'cmds add': 'hook.add',
  'cmds rm': 'hook.remove',
  'import-filebrowser': 'data.import',
  'keys rotate': 'keys.rotate',
  restore: 'data.import',
  'jobs cancel': 'job.cancel',
  'trash adopt': 'data.import',
  'trash restore': 'file.restore',
  'trash purge': 'file.purge',
  'trash rebuild': 'data.import',
  'versions restore': 'file.restore',
};

/**
 * Returns the target according to words and options. Words may be passwords; only those with a known meaning
 * are recorded.
 */
function targetOf(path: string, { words, options }: CommandCall): AuditTarget {
  const [first = ''] = words;
  const owner = options.names.includes('username') ? options.text('username') : undefined;
  const user = path.startsWith('users ') && path !== 'users import' ? first : owner;
  return {
    kind: path,
    ...(user === undefined ? {} : { user: { id: null, name: user } }),
    ...(path === 'rules add' ? { path: first } : {}),
    ...(path.startsWith('cmds ') ? { trigger: first } : {}),
  };
}

/** Returns the name of the account that runs the command; null if the system has none. */
function operator(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/**
 * Appends the audit record of a command to the server's log file. Nothing is written if the server logs to
 * its output, because the terminal has shown the result.
 */
export async function recordAction(path: string, call: CommandCall, error: unknown): Promise<void> {
  const event = auditedCommands[path];
  if (event === undefined || call.options.isOn('dryRun') === true) return;
  const config = await configOf(call, {
    flags: ['database', 'data', 'config', 'root'].filter((name) => call.options.names.includes(name)),
  }).catch(() => null);
  if (config === null || ['stdout', 'stderr', 'none'].includes(config.log) || config.logLevel === 'silent')
    return;
  const audit = auditRecord({
    event,
    outcome: error === undefined ? 'success' : 'refused',
    reason: error === undefined ? null : isAppError(error) ? error.code : 'bad_request',
    actor: { name: operator() },
    channel: 'command line',
    target: targetOf(path, call),
    changed: call.options.names.filter((name) => !['database', 'data', 'config', 'root'].includes(name)),
  });
  const { log } = openLog({ log: config.log, logLevel: 'info' });
  log.info({ audit }, `audit: ${event}`);
  log.flush();
}
