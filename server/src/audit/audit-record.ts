import type {
  AuditChannel,
  AuditEvent,
  AuditOutcome,
  AuditRecord,
  AuditTarget,
} from '@filestead/contract/audit';
import type { ErrorCode } from '@filestead/contract/errors';

/** Maximum length of a string in a record, in characters; paths may be longer. */
const maxTextLength = 256;
const maxPathLength = 1_024;
/** Maximum number of entries of a list. */
const maxEntries = 64;
/** Number of characters of a share's hash that identify it without opening it. */
const shownHashLength = 6;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

/** Printable ASCII characters without the message of a request. Most texts are like this, and are not changed. */
const harmless = /^(?!.*: \d{3} )[\x20-\x7e]*$/;

/**
 * Escapes and shortens a string for the log: no invisible characters, none that change the direction of the
 * line, and nothing that a log watcher could take for the message of a request (`/api/login: 403 192.0.2.1`).
 */
export function auditText(text: string, maxLength = maxTextLength): string {
  if (text.length <= maxLength && harmless.test(text)) return text;
  const wellFormed = text.toWellFormed();
  const shortened =
    wellFormed.length > maxLength ? `${wellFormed.slice(0, maxLength).toWellFormed()}…` : wellFormed;
  return shortened
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, escaped)
    .replaceAll(/: (?=\d{3} )/g, ':\\u{0020}');
}

/** The hash of a share, shortened so that it identifies the share without opening it. */
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
  const cleaned: Record<string, unknown> = {};
  if (target.user !== undefined) cleaned['user'] = cleanUser(target.user);
  for (const [key, value] of Object.entries(target))
    if (key !== 'user' && value !== undefined) cleaned[key] = clean(key, value);
  return cleaned;
}

const textOrNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === '' ? null : auditText(text);

/** A user identified by id, name or both. */
export interface UserReference {
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}

const cleanUser = ({ id, name }: UserReference): { id: number | null; name: string | null } => ({
  id: id ?? null,
  name: textOrNull(name),
});

/** The known fields of an audited action; all others are null in the record. */
export interface AuditedAction {
  readonly event: AuditEvent;
  readonly outcome: AuditOutcome;
  readonly reason?: ErrorCode | (string & {}) | null | undefined;
  readonly actor?: UserReference | null | undefined;
  readonly channel: AuditChannel;
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
  readonly request?: string | undefined;
  readonly target?: AuditTarget | null | undefined;
  readonly changed?: readonly string[] | null | undefined;
}

/** Returns the record of an action with every key and with escaped texts. Callers must not pass secrets. */
export function auditRecord(action: AuditedAction): AuditRecord {
  const { target } = action;
  return {
    event: action.event,
    outcome: action.outcome,
    reason: textOrNull(action.reason),
    actor: cleanUser(action.actor ?? {}),
    channel: action.channel,
    address: textOrNull(action.address),
    agent: textOrNull(action.agent),
    request: textOrNull(action.request),
    target: target === undefined || target === null ? null : cleanTarget(target),
    changed: action.changed?.slice(0, maxEntries).map((field) => auditText(field)) ?? null,
  };
}
