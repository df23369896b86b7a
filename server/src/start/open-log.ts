import { closeSync, openSync } from 'node:fs';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import type { Config } from '../config/config.ts';

/** Mode of the log file, which contains names and addresses. */
const logMode = 0o600;

/** Paths in log objects that may contain secrets; their values are replaced. */
const redacted = [
  'req.headers["x-auth"]',
  'req.headers.cookie',
  'req.headers.authorization',
  'headers["x-auth"]',
  'headers.cookie',
  'password',
  '*.password',
  'passwordHash',
  '*.passwordHash',
];

/** Creates a log of JSON lines at `level` that writes to `target`. */
export const makeLog = (level: string, target: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: redacted,
    },
    target,
  );

/** The log of a server and the function for log rotation. */
export interface OpenLog {
  readonly log: Logger;
  /**
   * Reopens the log file after it was renamed or removed. Throws if that fails; the previous file is then
   * kept.
   */
  readonly reopen: () => void;
}

/** Returns the paths of files that a log writes to. */
export const logFilesOf = (log: Config['log']): string[] =>
  ['stdout', 'stderr', 'none'].includes(log) ? [] : [log];

/** Opens the configured log. A log file has mode 600. */
export function openLog({ log, logLevel }: Pick<Config, 'log' | 'logLevel'>): OpenLog {
  const nothing = (): void => undefined;
  if (log === 'none') {
    return { log: makeLog('silent', destination({ fd: 2, sync: true })), reopen: nothing };
  }
  if (log === 'stdout' || log === 'stderr') {
    return {
      log: makeLog(logLevel, destination({ fd: log === 'stdout' ? 1 : 2, sync: true })),
      reopen: nothing,
    };
  }
  const file = destination({ dest: log, append: true, mkdir: true, mode: logMode, sync: true });
  return {
    log: makeLog(logLevel, file),
    reopen() {
      // Checked here first, because the destination does not report a failure and would later close its file
      // twice.
      closeSync(openSync(log, 'a', logMode));
      file.reopen();
    },
  };
}
