import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { explainPath } from './explain-error.ts';

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
export const createLogger = (level: string, target: DestinationStream): Logger =>
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

/** Path of the previous log file, which a rotation replaces. */
const previousOf = (log: string): string => `${log}.1`;

/** Returns the paths of files that a log writes to. */
export const logFilesOf = (log: Config['log']): string[] =>
  ['stdout', 'stderr', 'none'].includes(log) ? [] : [log, previousOf(log)];

/** Maximum size of the lines that wait for a full disk, in bytes; later ones are dropped. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Opens a destination that never fails a request or ends the server: on a full disk or a closed terminal, lines
 * wait and are written with the next one that succeeds. `onError` is called once.
 */
function openDestination(
  location: { fd: number } | { dest: string; mode: number },
  onError: (error: unknown) => void = () => undefined,
): ReturnType<typeof destination> {
  const target = destination({
    ...location,
    append: true,
    mkdir: true,
    sync: true,
    maxLength: maxWaitingBytes,
  });
  target.once('error', onError);
  target.on('error', () => undefined);
  return target;
}

/** Writes a sentence about the log file to the standard error output, which may be closed. */
function reportLogFailure(log: string, error: unknown): void {
  try {
    writeSync(2, `filestead: ${explainPath('log', log, error)}\n`);
  } catch {
    // There is no other output for it.
  }
}

/**
 * Opens the configured log. A log file has mode 600. With `maxLogBytes` it is renamed to `.1` once it is larger, and
 * a new one begins.
 */
export function openLog({
  log: target,
  logLevel,
  maxLogBytes = 0,
}: Pick<Config, 'log' | 'logLevel'> & Partial<Pick<Config, 'maxLogBytes'>>): OpenLog {
  const doNothing = (): void => undefined;
  if (target === 'none') {
    return { log: createLogger('silent', openDestination({ fd: 2 })), reopen: doNothing };
  }
  if (target === 'stdout' || target === 'stderr') {
    return {
      log: createLogger(logLevel, openDestination({ fd: target === 'stdout' ? 1 : 2 })),
      reopen: doNothing,
    };
  }
  const file = openDestination({ dest: target, mode: logMode }, (error) => reportLogFailure(target, error));
  const log = createLogger(logLevel, file);
  let size = statSync(target).size;
  const reopen = (): void => {
    // Checked here first, because the destination does not report a failure and would later close its file
    // twice.
    closeSync(openSync(target, 'a', logMode));
    file.reopen();
    size = statSync(target).size;
  };
  const rotate = (): void => {
    if (size <= maxLogBytes) return;
    // Also after a failure, so that it is tried again only after as many bytes.
    size = 0;
    try {
      renameSync(target, previousOf(target));
      reopen();
    } catch (error) {
      log.error({ err: error }, 'the log file cannot be rotated; logging continues in the same file');
    }
  };
  if (maxLogBytes > 0) {
    file.on('write', (bytes: number) => {
      size += bytes;
      // Not before the destination has finished this write.
      if (size > maxLogBytes) queueMicrotask(rotate);
    });
  }
  return { log, reopen };
}
