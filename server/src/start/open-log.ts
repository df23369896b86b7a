import { closeSync, openSync } from 'node:fs';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import type { Config } from '../config/config.ts';

/** A log file is for its owner only: it contains names and addresses. */
const logMode = 0o600;

/** Where secrets may hide in what is logged; they are replaced by a mark. */
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

/** A log of JSON lines at `level` into `target`. */
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

/** The log of a server, and what a program that rotates log files needs. */
export interface OpenLog {
  readonly log: Logger;
  /** Opens the log file anew, where it has been renamed or removed. Throws when that fails; then the former file is kept. */
  readonly reopen: () => void;
}

/** Opens the log that the configuration asks for. A log file is readable by its owner only. */
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
      // Tried here first: the destination reports a failure to nobody and would close its file twice at the next time.
      closeSync(openSync(log, 'a', logMode));
      file.reopen();
    },
  };
}
