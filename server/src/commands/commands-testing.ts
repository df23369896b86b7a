import { setTimeout as sleep } from 'node:timers/promises';
import { type TestApp } from '../../test/start-app.ts';

/** The commands that users of the tests may run. */
export const allowed = [
  'ls',
  'cat',
  'echo',
  'pwd',
  'sh',
  'env',
  'sleep',
  'touch',
  'yes',
  'nosuchprogram',
  './evil',
  'id',
];
export const execute = { execute: true };

interface AuditLine {
  readonly msg: string;
  readonly command?: string[];
  readonly exit?: number | null;
  readonly user?: number;
  readonly ms?: number;
}
/** Returns the lines about commands in the log of a server. */
export const auditOf = (app: TestApp): AuditLine[] =>
  app.log.map((line) => JSON.parse(line) as AuditLine).filter(({ msg }) => msg.startsWith('command:'));

/** Waits until a condition is true, at most `ms`; returns whether it is. */
export async function until(condition: () => boolean, ms = 50_000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) if (condition()) return true;
  return condition();
}
