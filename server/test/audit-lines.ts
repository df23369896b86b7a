import { type AuditEvent, type AuditRecord as Entry } from '@filestead/contract/audit';
import { type TestApp } from './start-app.ts';

/** A line of a server's log. */
export interface Line {
  readonly msg: string;
  readonly level: string;
  readonly audit?: Entry;
}
/** Returns the log of a server. */
export const linesOf = (app: TestApp): Line[] => app.log.map((line) => JSON.parse(line) as Line);
/** Returns the audit records in the log of a server. */
export const recordsOf = (app: TestApp): Entry[] =>
  linesOf(app).flatMap(({ audit }) => (audit === undefined ? [] : [audit]));
/** Returns the last record of an event. */
export const lastOf = (app: TestApp, event: AuditEvent): Entry | undefined =>
  recordsOf(app).findLast((record) => record.event === event);
