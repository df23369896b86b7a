import { type DestinationStream, type Logger, destination, pino } from 'pino';
import type { Config } from './config.ts';

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

/** Opens the log that the configuration asks for. A log file is readable by its owner only. */
export function openLog({ log, logLevel }: Pick<Config, 'log' | 'logLevel'>): Logger {
  if (log === 'none') return makeLog('silent', destination({ fd: 2, sync: true }));
  if (log === 'stdout' || log === 'stderr') {
    return makeLog(logLevel, destination({ fd: log === 'stdout' ? 1 : 2, sync: true }));
  }
  return makeLog(logLevel, destination({ dest: log, append: true, mkdir: true, mode: 0o600, sync: true }));
}
