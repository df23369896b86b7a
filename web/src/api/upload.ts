import { createResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/virtual-path';
import { ApiError, errorOfAnswer } from './api-error.ts';
import { urlOf } from './call.ts';
import { heedTokenAdvice, mayRetryAfterRefusal } from './signed-request.ts';
import { currentToken } from './token-store.ts';

export interface UploadOptions {
  /** Replace a file that is there. Without it such a file is refused with `already_exists`. */
  override?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** How many bytes have left this machine. */
  onProgress?: ((sentBytes: number) => void) | undefined;
}

export interface UploadResult {
  /** Names the version that was stored; null when the server named none. */
  etag: string | null;
}

/**
 * Sends `content` to `path`. Throws {@link ApiError}: `already_exists` when the name is taken, `connection_aborted` when
 * the connection breaks; an `AbortError` when `signal` says so. Uses XMLHttpRequest, which alone reports what was sent.
 */
export function uploadFile(
  path: VirtualPath,
  content: Blob,
  options: UploadOptions = {},
  isRetry = false,
): Promise<UploadResult> {
  const { override = false, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    if (signal?.aborted) {
      aborted();
      return;
    }
    const token = currentToken();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(
      createResource.method,
      urlOf(createResource, { path, query: { override: String(override) } }),
    );
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (token !== null) request.setRequestHeader('X-Auth', token);
    // A listener on `upload` is asked for only when somebody wants to know.
    if (onProgress) request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.addEventListener('abort', aborted);
    request.addEventListener('error', () => reject(new ApiError(0, 'connection_aborted')));
    request.addEventListener('load', () => {
      heedTokenAdvice(token, request.getResponseHeader('X-Renew-Token'));
      if (request.status >= 200 && request.status < 300) {
        onProgress?.(content.size);
        resolve({ etag: request.getResponseHeader('ETag') });
      } else if (request.status === 401 && mayRetryAfterRefusal(token) && !isRetry) {
        resolve(uploadFile(path, content, options, true));
      } else {
        const retryAfter = request.getResponseHeader('Retry-After');
        reject(errorOfAnswer(request.status, request.responseText, retryAfter));
      }
    });
    signal?.addEventListener('abort', abort, { once: true });
    request.send(content);
  });
}
