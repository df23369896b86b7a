import type { AuditChannel } from '@filestead/contract/audit';
import * as contract from '@filestead/contract/sessions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserContexts } from '../access/user-contexts.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { readCredentials } from '../http/request/read-credentials.ts';
import type { Route } from '../http/server/route.ts';
import { setSessionCookie, clearSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import { shortenUserAgent } from '../http/request/shorten-user-agent.ts';
import type { SignIn } from './methods/dependencies.ts';

/** The dependencies of the session routes. */
interface SessionParts {
  readonly route: Route;
  readonly sessions: Sessions;
  readonly userContexts: UserContexts;
  readonly signIn: SignIn;
  /** Stores the time of a user's last sign-in (Unix milliseconds). */
  readonly recordSignIn: (userId: number, at: number) => Promise<void>;
  /**
   * Whether users enter a name and a password; otherwise the body is ignored
   * (docs/reference/filebrowser-api.md §4).
   */
  readonly hasLoginPage: boolean;
  /** Authentication method for the audit log. */
  readonly channel: AuditChannel;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** `''` or `/prefix`. */
  readonly baseUrl: string;
}

/** The fields that a user enters to sign in. */
type LoginFields = Pick<Parameters<SignIn>[0], 'username' | 'password' | 'recaptcha'>;

function registerLogin(app: FastifyInstance, parts: SessionParts): void {
  const { route, sessions, signIn, recordSignIn, hasLoginPage, channel, now, baseUrl } = parts;
  const login = async (
    fields: LoginFields,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> => {
    request.audit.channel = channel;
    request.audit.actor = { name: fields.username };
    const user = await signIn({ ...fields, request });
    request.audit.actor = { id: user.id, name: user.username };
    const userAgent = request.headers['user-agent'] ?? '';
    const issued = await sessions.signIn(user, { address: clientAddress(request), userAgent });
    await recordSignIn(user.id, now()).catch((error: unknown) =>
      request.log.warn({ err: error }, 'the time of a sign-in could not be stored'),
    );
    setSessionCookie(reply, baseUrl, issued, now());
    return issued.token;
  };
  if (hasLoginPage) {
    route(app, contract.login, ({ body, request, reply }) => login(body, request, reply));
    return;
  }
  const { body: _body, ...withoutBody } = contract.login;
  route(app, withoutBody, ({ request, reply }) => {
    // Without a body there is no CORS preflight, so a page of another site could make the browser sign in.
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new AppError('wrong_credentials');
    return login({ username: '', password: '', recaptcha: '' }, request, reply);
  });
}

/**
 * Returns the id of the user whose sessions are requested: the user of the request, or the one that an administrator
 * names. Throws `forbidden`.
 */
function requestedUserId({ user }: UserContext, named: string | undefined): number {
  if (named === undefined || Number(named) === user.id) return user.id;
  if (!user.perm.admin) throw new AppError('forbidden');
  return Number(named);
}

function registerOverview(app: FastifyInstance, { route, sessions, baseUrl }: SessionParts): void {
  route(app, contract.listSessions, async ({ userContext, query }) => {
    const found = await sessions.listOf(requestedUserId(userContext, query.user));
    return found.map((session) => ({
      id: session.id,
      created: session.createdAt,
      lastUsed: session.lastSeenAt,
      expires: session.endsAt,
      address: session.address,
      userAgent: shortenUserAgent(session.userAgent),
      isCurrent: session.id === userContext.sessionId,
    }));
  });

  const clearCredentials = (reply: FastifyReply): void => {
    reply.removeHeader('x-renew-token');
    clearSessionCookie(reply, baseUrl);
  };

  route(app, contract.endSession, async ({ userContext, params, reply }) => {
    const own = await sessions.listOf(userContext.user.id);
    if (!own.some((session) => session.id === params.id)) throw new AppError('not_found');
    await sessions.end(params.id);
    if (params.id === userContext.sessionId) clearCredentials(reply);
    return undefined;
  });

  route(app, contract.endSessions, async ({ userContext, query, request, reply }) => {
    request.audit.target.user = { id: Number(query.user ?? userContext.user.id), name: null };
    const userId = requestedUserId(userContext, query.user);
    const isOwn = userId === userContext.user.id;
    const isEverywhere = !isOwn || query.all === 'true';
    await sessions.endAllOf(userId, isEverywhere ? undefined : userContext.sessionId);
    if (isOwn && isEverywhere) clearCredentials(reply);
    return undefined;
  });
}

/** Registers signing in and out, renewing tokens, and the overview of sessions. */
export function registerSessions(app: FastifyInstance, parts: SessionParts): void {
  const { route, sessions, userContexts, now, baseUrl } = parts;
  registerLogin(app, parts);
  registerOverview(app, parts);

  route(app, contract.renew, async ({ userContext, request, reply }) => {
    const [credential] = readCredentials(request.headers, undefined, false);
    const user = await userContexts.find(userContext.user.id);
    if (credential === undefined || user === null) throw new AppError('not_signed_in');
    const issued = await sessions.renew(credential.value, user);
    if (issued === null) throw new AppError('not_signed_in');
    setSessionCookie(reply, baseUrl, issued, now());
    // Newer clients check this header to avoid renewing in a loop (docs/reference/filebrowser-api.md §1.4).
    reply.header('x-renew-token', 'false');
    return issued.token;
  });

  route(app, contract.logout, async ({ userContext, reply }) => {
    reply.removeHeader('x-renew-token');
    await sessions.end(userContext.sessionId);
    clearSessionCookie(reply, baseUrl);
    return undefined;
  });
}
