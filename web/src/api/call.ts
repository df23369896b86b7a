import type {
  ResponseOf,
  BodyInputOf,
  EndpointSpec,
  ParamsOf,
  QueryInputOf,
} from '@filestead/contract/endpoint';
import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, toApiError, isAbort } from './api-error.ts';
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
  const response = await (endpoint.access === 'anyone' ? sendPlain : sendSigned)(urlOf(endpoint, options), {
    method: endpoint.method,
    headers,
    body: body === undefined ? (content ?? null) : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.ok) return response;
  throw toApiError(response.status, await textOf(response, signal), response.headers.get('Retry-After'));
}

/** Reads the body as text. Throws {@link ApiError} `no_connection` if the connection breaks. */
export async function textOf(response: Response, signal?: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (isAbort(error) || signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { cause: error });
  }
}

/**
 * Parses the body as JSON. Throws {@link ApiError} `internal_error` if it is something else, such as a proxy's page.
 */
export async function jsonOf(response: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await textOf(response, signal);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(response.status, 'internal_error', {
      detail: 'The response is not JSON.',
      cause: error,
    });
  }
}

/**
 * Calls an endpoint of the contract and returns its JSON value or its text. Sends the token unless the endpoint is open
 * to anyone. Throws as {@link send} does.
 */
export async function call<E extends EndpointSpec>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ResponseOf<E>> {
  const response = await send(endpoint, options);
  const spec = endpoint.responses[response.status];
  const value = spec?.json ? await jsonOf(response, options.signal) : await textOf(response, options.signal);
  // Client and server are built from one contract, so the response has the type that the contract declares.
  return value as ResponseOf<E>;
}
