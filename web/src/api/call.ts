import type {
  AnswerOf,
  BodyInputOf,
  EndpointSpec,
  ParamsOf,
  QueryInputOf,
} from '@filestead/contract/endpoint';
import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, errorOfAnswer, isAbort } from './api-error.ts';
import { sendPlain, sendSigned } from './signed-request.ts';
import { withBase } from './urls.ts';

export { ApiError, isAbort, isApiError } from './api-error.ts';

export interface CallOptions<E extends EndpointSpec> {
  /** For endpoints whose path ends in a virtual path. Default: the root. */
  path?: VirtualPath | undefined;
  /** Appends a slash to the path, which means a folder. */
  isFolder?: boolean | undefined;
  params?: ParamsOf<E> | undefined;
  query?: QueryInputOf<E> | undefined;
  /** Sent as JSON. */
  body?: BodyInputOf<E> | undefined;
  /** The raw body of endpoints that take bytes. */
  content?: Blob | string | Uint8Array<ArrayBuffer> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Returns the URL of a call, without a token. */
export function urlOf<E extends EndpointSpec>(
  endpoint: E,
  { path = '/' as VirtualPath, isFolder = false, params, query }: CallOptions<E>,
): string {
  let address: string = endpoint.path;
  for (const [name, value] of Object.entries(params ?? {})) {
    address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  if (address.endsWith('/*')) {
    address = `${address.slice(0, -2)}${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return withBase(`${address as `/${string}`}${search.size > 0 ? `?${search.toString()}` : ''}`);
}

/**
 * Sends a call and returns the response, for callers that need headers such as `ETag`. Throws {@link ApiError} for
 * every unsuccessful response, and an `AbortError` if `signal` is aborted.
 */
export async function send<E extends EndpointSpec>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Response> {
  const { body, content, signal } = options;
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['Content-Type'] ??= 'application/json';
  else if (content !== undefined) headers['Content-Type'] ??= 'application/octet-stream';
  const answer = await (endpoint.access === 'anyone' ? sendPlain : sendSigned)(urlOf(endpoint, options), {
    method: endpoint.method,
    headers,
    body: body === undefined ? (content ?? null) : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (answer.ok) return answer;
  throw errorOfAnswer(answer.status, await textOf(answer, signal), answer.headers.get('Retry-After'));
}

/** Reads the body as text. Throws {@link ApiError} `no_connection` if the connection breaks. */
export async function textOf(answer: Response, signal?: AbortSignal): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    if (isAbort(error) || signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { cause: error });
  }
}

/**
 * Parses the body as JSON. Throws {@link ApiError} `internal_error` if it is something else, such as a proxy's page.
 */
export async function jsonOf(answer: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await textOf(answer, signal);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(answer.status, 'internal_error', { detail: 'The answer is not JSON.', cause: error });
  }
}

/**
 * Calls an endpoint of the contract and returns its JSON value or its text. Sends the token unless the endpoint is open
 * to anyone. Throws as {@link send} does.
 */
export async function call<E extends EndpointSpec>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<AnswerOf<E>> {
  const answer = await send(endpoint, options);
  const spec = endpoint.answers[answer.status];
  const value = spec?.json ? await jsonOf(answer, options.signal) : await textOf(answer, options.signal);
  // Client and server are built from one contract, so the response has the type that the contract declares.
  return value as AnswerOf<E>;
}
