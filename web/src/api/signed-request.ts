import { renew } from '@filestead/contract/sessions';
import { ApiError, toApiError, isAbort } from './api-error.ts';
import { currentToken, storeToken } from './token-store.ts';
import { withBase } from './urls.ts';

/** Held by the tab that renews; the other tabs then find the new token and use it. */
const lockName = 'filestead.renew';

let renewal: Promise<void> | null = null;

async function fetchNewToken(oldToken: string): Promise<void> {
  if (currentToken() !== oldToken) return;
  const response = await sendPlain(withBase(renew.path), {
    method: renew.method,
    headers: { 'X-Auth': oldToken, Accept: 'application/json' },
  });
  const body = await response.text();
  // Another tab may have signed out or in while this request was pending.
  if (currentToken() !== oldToken) return;
  if (response.ok) {
    storeToken(body.trim());
    return;
  }
  if (response.status === 401) storeToken(null);
  throw toApiError(response.status, body, response.headers.get('Retry-After'));
}

/**
 * Exchanges the current token for a new one, once at a time across all tabs. Does nothing if nobody is signed in. Signs
 * out if the server refuses the token. Throws {@link ApiError}.
 */
export function renewToken(): Promise<void> {
  const oldToken = currentToken();
  if (oldToken === null) return Promise.resolve();
  renewal ??=
    // Web Locks exist in secure contexts only. Without them two tabs may both renew, which the overlap of tokens on the
    // server allows.
    (
      'locks' in navigator
        ? navigator.locks.request(lockName, () => fetchNewToken(oldToken))
        : fetchNewToken(oldToken)
    ).finally(() => {
      renewal = null;
    });
  return renewal;
}

/** Handles the renew header of a response to a request that was signed with `usedToken`. */
export function handleRenewHeader(usedToken: string | null, renewHeader: string | null): void {
  if (usedToken === null || renewHeader !== 'true' || usedToken !== currentToken()) return;
  // The response itself was successful; if the renewal fails, the next response requests it again.
  renewToken().catch(() => undefined);
}

/**
 * Handles a 401. Returns true if the token has changed since the request was signed, so that a retry makes sense;
 * otherwise signs out.
 */
export function mayRetryAfterRefusal(usedToken: string | null): boolean {
  const now = currentToken();
  if (now !== null && now !== usedToken) return true;
  storeToken(null);
  return false;
}

/** Calls `fetch`; throws {@link ApiError} `no_connection` if there is no response. An abort is thrown unchanged. */
export async function sendPlain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', ...init });
  } catch (error) {
    if (isAbort(error) || init.signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { cause: error });
  }
}

let signingOut: Promise<unknown> | null = null;
/** Aborted when the user signs out. */
let reading = new AbortController();

/**
 * Aborts the signed requests that read, and holds those that begin until `end` is fulfilled: the server would refuse what it
 * receives after the request that signs out. If the user has signed out then, the held ones throw an `AbortError` too.
 */
export function holdRequests(end: Promise<unknown>): void {
  reading.abort();
  reading = new AbortController();
  signingOut = end.finally(() => {
    signingOut = null;
  });
}

/**
 * Calls `fetch` with the token of the signed-in user. Renews the token if the response requests it; a refused token
 * signs out. Responses other than 401 are returned whatever their status.
 */
export async function sendSigned(url: string, init: RequestInit, isRetry = false): Promise<Response> {
  // The request that signs out may be retried itself.
  if (signingOut !== null && !isRetry) {
    await signingOut;
    if (currentToken() === null) throw new DOMException('signed out', 'AbortError');
  }
  const token = currentToken();
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('X-Auth', token);
  const isReading = init.method === undefined || init.method === 'GET';
  const signal = isReading
    ? AbortSignal.any([reading.signal, ...(init.signal ? [init.signal] : [])])
    : (init.signal ?? null);
  const response = await sendPlain(url, { ...init, headers, signal });
  handleRenewHeader(token, response.headers.get('X-Renew-Token'));
  if (response.status === 401 && mayRetryAfterRefusal(token) && !isRetry) return sendSigned(url, init, true);
  return response;
}
