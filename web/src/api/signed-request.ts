import { renew } from '@filestead/contract/sessions';
import { ApiError, errorOfAnswer, isAbort } from './api-error.ts';
import { currentToken, keepToken } from './token-store.ts';
import { withBase } from './urls.ts';

/** Held while one tab renews; the others then find the new token and use that. */
const lockName = 'filestead.renew';

let running: Promise<void> | null = null;

async function fetchNewToken(old: string): Promise<void> {
  if (currentToken() !== old) return;
  const answer = await sendPlain(withBase(renew.path), {
    method: renew.method,
    headers: { 'X-Auth': old, Accept: 'application/json' },
  });
  const body = await answer.text();
  // Another tab may have signed out or in while this was on its way.
  if (currentToken() !== old) return;
  if (answer.ok) {
    keepToken(body.trim());
    return;
  }
  if (answer.status === 401) keepToken(null);
  throw errorOfAnswer(answer.status, body, answer.headers.get('Retry-After'));
}

/**
 * Exchanges the current token for a fresh one: once at a time, in all tabs together. Does nothing when nobody is signed
 * in. Signs out when the server refuses the token. Throws {@link ApiError}.
 */
export function renewToken(): Promise<void> {
  const old = currentToken();
  if (old === null) return Promise.resolve();
  running ??=
    // Web locks exist in secure contexts only. Without them two tabs may both renew, which the server's overlap allows.
    (
      'locks' in navigator ? navigator.locks.request(lockName, () => fetchNewToken(old)) : fetchNewToken(old)
    ).finally(() => {
      running = null;
    });
  return running;
}

/** Acts on what an answer says about the token that its request was signed with. */
export function handleRenewHeader(usedToken: string | null, renewHeader: string | null): void {
  if (usedToken === null || renewHeader !== 'true' || usedToken !== currentToken()) return;
  // The answer itself was fine; if this fails, the next answer advises again.
  renewToken().catch(() => undefined);
}

/** What to do after a 401: try again when the token has changed since the request was signed, else it is signed out. */
export function mayRetryAfterRefusal(usedToken: string | null): boolean {
  const now = currentToken();
  if (now !== null && now !== usedToken) return true;
  keepToken(null);
  return false;
}

/** `fetch` that throws {@link ApiError} `no_connection` when no answer comes. An abort is thrown as it is. */
export async function sendPlain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', ...init });
  } catch (error) {
    if (isAbort(error) || init.signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { cause: error });
  }
}

/**
 * `fetch` as whoever is signed in. Renews the token when the answer says so; a refused token signs out. Answers other
 * than 401 are returned whatever their status.
 */
export async function sendSigned(url: string, init: RequestInit, isRetry = false): Promise<Response> {
  const token = currentToken();
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('X-Auth', token);
  const answer = await sendPlain(url, { ...init, headers });
  handleRenewHeader(token, answer.headers.get('X-Renew-Token'));
  if (answer.status === 401 && mayRetryAfterRefusal(token) && !isRetry) return sendSigned(url, init, true);
  return answer;
}
