import type { EndpointSpec } from '@filestead/contract/endpoint';
import type { User } from '@filestead/contract/users';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { AuthContext, Authenticator, HttpOptions } from './authenticator.ts';
import { readCredentials } from './read-credentials.ts';

/** Parameters of a request that authorization depends on. */
export interface RequestParameters {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** Authenticates a request. Throws `not_signed_in`. */
export async function authenticateRequest(
  authenticator: Authenticator,
  options: HttpOptions,
  endpoint: EndpointSpec,
  request: FastifyRequest,
  query: RequestParameters['query'],
): Promise<AuthContext> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const mayUseCookie = endpoint.acceptsCookie === true && isRead;
  const queryToken = options.acceptsTokenInQuery ? query.auth : undefined;
  for (const credential of readCredentials(request.headers, queryToken, mayUseCookie)) {
    const authContext = await authenticator.authenticate(credential, endpoint.isAutomatic === true);
    if (authContext !== null) return authContext;
  }
  throw new AppError('not_signed_in');
}

/** Throws `forbidden` unless the user has the permissions that this request requires. */
export function authorize(
  endpoint: EndpointSpec,
  { id, perm }: Pick<User, 'id' | 'perm'>,
  { params, query }: RequestParameters,
): void {
  if (endpoint.access === 'administrator' && !perm.admin) throw new AppError('forbidden');
  if (endpoint.access === 'self_or_administrator' && !perm.admin && params.id !== String(id)) {
    throw new AppError('forbidden');
  }
  for (const permission of endpoint.needs ?? []) {
    if (!perm[permission]) throw new AppError('forbidden');
  }
  for (const need of endpoint.needsWhen ?? []) {
    if (query[need.query] === need.equals && !perm[need.permission]) throw new AppError('forbidden');
  }
}
