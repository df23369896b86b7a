import {
  type AuditChannel,
  type AuditEvent,
  type AuditTarget,
  auditedEndpoints,
} from '@filestead/contract/audit';
import type { EndpointSpec } from '@filestead/contract/endpoint';
import type { AuditOutcome, AuditRecord } from '@filestead/contract/audit';
import type { ErrorCode } from '@filestead/contract/errors';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuditedAction, type UserReference, auditRecord, shortHash } from '../../audit/audit-record.ts';
import { clientAddress } from '../request/client-address.ts';
import { shortenUserAgent } from '../request/shorten-user-agent.ts';
import { matchTarget, parseQuery, rawPathOf } from '../request/target.ts';

/** Details of an action, collected while its request is served; handlers add theirs. */
export interface AuditNotes {
  endpoint: EndpointSpec | null;
  /** The acting user; for a sign-in the name that was tried. */
  actor: UserReference | null;
  /** The method by which the user signs in, if the request does not show it. */
  channel: AuditChannel | null;
  target: AuditTarget;
  changed: string[] | null;
  /** The error code, unless a handler knows the reason more exactly. */
  reason: ErrorCode | 'wrong_password' | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes audit records at every log level. */
    readonly auditLog: FastifyBaseLogger;
  }
  interface FastifyRequest {
    readonly audit: AuditNotes;
  }
}

/**
 * Returns the logger of audit records, which writes at every level but `silent`. Its records are made of known fields without
 * secrets, so their values are not searched for them.
 */
export const auditLogOf = (log: FastifyBaseLogger): FastifyBaseLogger =>
  log.level === 'silent' ? log : log.child({}, { level: 'info', redact: [] });

const notesKey = Symbol('audit notes');

/** A property costs a fraction of an entry in a `WeakMap`, which each collection of the young generation examines. */
type AnnotatedRequest = FastifyRequest['raw'] & { [notesKey]?: AuditNotes };

/**
 * Returns the notes of a request, including one that the framework could not route and that has no
 * decorations.
 */
export function notesOf({ raw }: FastifyRequest): AuditNotes {
  const annotated: AnnotatedRequest = raw;
  annotated[notesKey] ??= {
    endpoint: null,
    actor: null,
    channel: null,
    target: {},
    changed: null,
    reason: null,
  };
  return annotated[notesKey];
}

/** Adds audit notes to every request. */
export function prepareAudit(app: FastifyInstance): void {
  app.decorate('auditLog', auditLogOf(app.log));
  app.decorateRequest('audit', {
    getter(this: FastifyRequest) {
      return notesOf(this);
    },
  });
}

/** Returns the target according to path and parameters, as far as the request can be parsed. */
function targetOf(endpoint: EndpointSpec, request: FastifyRequest): AuditTarget {
  const url = request.raw.url ?? '/';
  try {
    const { params, requested } = matchTarget(endpoint.path, rawPathOf(url));
    const target: AuditTarget = {};
    if (endpoint.feature === 'users' && params.id !== undefined) {
      target.user = { id: Number.isSafeInteger(Number(params.id)) ? Number(params.id) : null, name: null };
    }
    if (endpoint.feature === 'jobs' && params.id !== undefined) target.job = params.id;
    if (endpoint.feature === 'uploads' && params.id !== undefined) target.upload = params.id;
    if (endpoint.feature === 'sessions' && params.id !== undefined) target.session = params.id;
    if (params.hash !== undefined) target.share = shortHash(params.hash);
    if (endpoint.path.endsWith('/*')) target.path = requested.path;
    const { destination, action } = endpoint.method === 'PATCH' ? parseQuery(url) : {};
    if (destination !== undefined) target.destination = destination;
    if (action !== undefined) target.kind = action;
    return target;
  } catch {
    return {};
  }
}

function channelOf(request: FastifyRequest): AuditChannel {
  const { endpoint, channel } = notesOf(request);
  if (channel !== null) return channel;
  if (endpoint?.path.includes('{hash}') === true && endpoint.access === 'anyone') return 'share';
  if (request.headers['x-auth'] !== undefined) return 'token';
  if (/[?&]auth=/.test(request.raw.url ?? '')) return 'query';
  return request.headers.cookie === undefined ? 'none' : 'cookie';
}

const refusals = new Set([401, 403, 429]);

function outcomeOf(reply: FastifyReply): AuditOutcome {
  if (!reply.raw.writableFinished) return 'aborted';
  if (reply.statusCode >= 500) return 'failed';
  return reply.statusCode >= 400 ? 'refused' : 'success';
}

/** Returns the fields common to all records of a request. */
function aboutRequest(
  request: FastifyRequest,
): Pick<AuditedAction, 'actor' | 'channel' | 'address' | 'agent' | 'request'> {
  const user = request.opened?.authContext?.userContext.user;
  return {
    actor: notesOf(request).actor ?? (user === undefined ? null : { id: user.id, name: user.username }),
    channel: channelOf(request),
    address: clientAddress(request),
    agent: shortenUserAgent(request.headers['user-agent'] ?? ''),
    request: request.id,
  };
}

/** Returns the record of a request whose response has ended; null for a read that was not refused. */
export function recordOfResponse(request: FastifyRequest, reply: FastifyReply): AuditRecord | null {
  const { endpoint, target, changed, reason } = notesOf(request);
  const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method) || endpoint?.anyMethod === true;
  const audited = endpoint === null || !isWrite ? undefined : auditedEndpoints[endpoint.id];
  if (audited === undefined && !refusals.has(reply.statusCode)) return null;
  const described = endpoint === null ? {} : targetOf(endpoint, request);
  const refused =
    audited === undefined && endpoint !== null ? { endpoint: `${endpoint.method} ${endpoint.path}` } : {};
  const whole: AuditTarget = { ...described, ...refused, ...target };
  return auditRecord({
    event: audited ?? 'access.refused',
    outcome: outcomeOf(reply),
    reason,
    target: Object.keys(whole).length === 0 ? null : whole,
    changed,
    ...aboutRequest(request),
  });
}

/** Writes the record of an action that is not the one its request names, or that outlives the request. */
export function auditAction(
  request: FastifyRequest,
  action: { event: AuditEvent; outcome: AuditOutcome } & Partial<AuditedAction>,
  { fields, message }: { fields?: Record<string, unknown>; message?: string } = {},
): void {
  const audit = auditRecord({ ...aboutRequest(request), ...action });
  request.server.auditLog.info({ reqId: request.id, ...fields, audit }, message ?? `audit: ${action.event}`);
}
