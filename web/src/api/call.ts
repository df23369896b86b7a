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
  /** For endpoints that end in a virtual path; default: the root. */
  path?: VirtualPath | undefined;
  /** Writes the path with a closing slash: a folder is meant. */
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

/** The URL of a call, without a token. */
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
 * Sends a call and returns its answer for those who need headers such as `ETag`. Throws {@link ApiError} for every
 * answer that is not a success, and an `AbortError` when `signal` says so.
 */
export async function send<E extends EndpointSpec>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Response> {
  const { body, content, signal } = options;
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['Content-Type'] ??= 'application/json';
  else if (content !== undefined) headers['Content-Type'] ??= 'application/octet-stream';
  const answer = await (endpoint.caller === 'anyone' ? sendPlain : sendSigned)(urlOf(endpoint, options), {
    method: endpoint.method,
    headers,
    body: body === undefined ? (content ?? null) : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (answer.ok) return answer;
  throw errorOfAnswer(answer.status, await textOf(answer, signal), answer.headers.get('Retry-After'));
}

/** The body as text. Throws {@link ApiError} `no_connection` when it breaks off. */
export async function textOf(answer: Response, signal?: AbortSignal): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    if (isAbort(error) || signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { cause: error });
  }
}

/** The JSON body. Throws {@link ApiError} `internal_error` when the answer is something else, such as a proxy's page. */
export async function jsonOf(answer: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await textOf(answer, signal);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(answer.status, 'internal_error', { detail: 'The answer is not JSON.', cause: error });
  }
}

/**
 * Calls an endpoint of the contract and returns its JSON value or its text. Signed with the token unless the endpoint is
 * open to anyone. Throws as {@link send}.
 */
export async function call<E extends EndpointSpec>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<AnswerOf<E>> {
  const answer = await send(endpoint, options);
  const spec = endpoint.answers[answer.status];
  const value = spec?.json ? await jsonOf(answer, options.signal) : await textOf(answer, options.signal);
  // Both ends are built from one contract, so the answer has the type that the contract gives it.
  return value as AnswerOf<E>;
}
