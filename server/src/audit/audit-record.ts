import type {
  AuditDoor,
  AuditEvent,
  AuditOutcome,
  AuditRecord,
  AuditTarget,
} from '@filestead/contract/audit';
import type { ErrorCode } from '@filestead/contract/errors';

/** Longest text of a record, in characters; paths may be longer. */
const maxTextLength = 256;
const maxPathLength = 1_024;
/** Most entries of a list. */
const maxEntries = 64;
/** So many characters of a link's name tell it from others and open nothing. */
const shownHashLength = 6;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

/**
 * A text as it may be written to the log: nothing invisible, nothing that reverses the line, not endless, and nothing that a
 * log watcher takes for the message of a request (`/api/login: 403 192.0.2.1`).
 */
export function auditText(text: string, maxLength = maxTextLength): string {
  const whole = text.toWellFormed();
  const cut = whole.length > maxLength ? `${whole.slice(0, maxLength).toWellFormed()}…` : whole;
  return cut
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, escaped)
    .replaceAll(/: (?=\d{3} )/g, ':\\u{0020}');
}

/** The name of a public link, cut so that it names the link and does not open it. */
export const shortHash = (hash: string): string =>
  hash.length <= shownHashLength ? auditText(hash) : `${auditText(hash.slice(0, shownHashLength))}…`;

const pathKeys = new Set(['path', 'destination', 'paths']);

function cleanTarget(target: AuditTarget): AuditTarget {
  const clean = (key: string, value: unknown): unknown => {
    const maxLength = pathKeys.has(key) ? maxPathLength : maxTextLength;
    if (typeof value === 'string') return auditText(value, maxLength);
    if (Array.isArray(value))
      return value.slice(0, maxEntries).map((entry) => auditText(String(entry), maxLength));
    return value;
  };
  const { user, ...rest } = target;
  return {
    ...(user === undefined ? {} : { user: cleanPerson(user) }),
    ...Object.fromEntries(
      Object.entries(rest)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, clean(key, value)]),
    ),
  };
}

const textOrNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === '' ? null : auditText(text);

/** Somebody of whom the id, the name, or both are known. */
export interface Person {
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}

const cleanPerson = ({ id, name }: Person): { id: number | null; name: string | null } => ({
  id: id ?? null,
  name: textOrNull(name),
});

/** What is known of an act; the rest is null in the record. */
export interface Act {
  readonly event: AuditEvent;
  readonly outcome: AuditOutcome;
  readonly reason?: ErrorCode | (string & {}) | null | undefined;
  readonly actor?: Person | null | undefined;
  readonly door: AuditDoor;
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
  readonly request?: string | undefined;
  readonly target?: AuditTarget | null | undefined;
  readonly changed?: readonly string[] | null | undefined;
}

/** The record of an act, with every key and with texts that may be logged. Secrets are not for the caller to hand in. */
export function auditRecord(act: Act): AuditRecord {
  const { target } = act;
  return {
    event: act.event,
    outcome: act.outcome,
    reason: textOrNull(act.reason),
    actor: cleanPerson(act.actor ?? {}),
    door: act.door,
    address: textOrNull(act.address),
    agent: textOrNull(act.agent),
    request: textOrNull(act.request),
    target: target === undefined || target === null ? null : cleanTarget(target),
    changed: act.changed?.slice(0, maxEntries).map((field) => auditText(field)) ?? null,
  };
}
