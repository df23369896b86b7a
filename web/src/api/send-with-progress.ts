import { ApiError } from './api-error.ts';
import { handleRenewHeader, mayRetryAfterRefusal } from './signed-request.ts';
import { currentToken } from './token-store.ts';

export interface ProgressRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes of the body that have been sent. */
  onProgress?: ((sentBytes: number) => void) | undefined;
}

export interface ProgressResponse {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/**
 * Sends bytes with the token of the signed-in user. Uses XMLHttpRequest, because `fetch` does not report upload
 * progress. Throws {@link ApiError} `connection_aborted` if the connection breaks and an `AbortError` if `signal` is
 * aborted; every response of the server is returned, whatever its status.
 */
export function sendWithProgress(
  progressRequest: ProgressRequest,
  isRetry = false,
): Promise<ProgressResponse> {
  const { method, url, headers, body, signal, onProgress } = progressRequest;
  return new Promise((resolve, reject) => {
    const rejectAborted = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    if (signal?.aborted) {
      rejectAborted();
      return;
    }
    const token = currentToken();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (token !== null) request.setRequestHeader('X-Auth', token);
    // Added only if there is a progress callback.
    if (onProgress) request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.addEventListener('abort', rejectAborted);
    request.addEventListener('error', () => reject(new ApiError(0, 'connection_aborted')));
    request.addEventListener('load', () => {
      handleRenewHeader(token, request.getResponseHeader('X-Renew-Token'));
      if (request.status === 401 && mayRetryAfterRefusal(token) && !isRetry) {
        resolve(sendWithProgress(progressRequest, true));
        return;
      }
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    });
    signal?.addEventListener('abort', abort, { once: true });
    request.send(body);
  });
}
