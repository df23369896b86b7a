import { createResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { toApiError } from './api-error.ts';
import { urlOf } from './call.ts';
import { sendWithProgress } from './send-with-progress.ts';

export interface UploadOptions {
  /** Overwrite an existing file. Default: such an upload is refused with `already_exists`. */
  override?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes sent. */
  onProgress?: ((sentBytes: number) => void) | undefined;
}

export interface UploadResult {
  /** The version of the stored file; null if the server sent none. */
  etag: string | null;
}

/**
 * Sends `content` to `path` in one request. Throws `ApiError`: `already_exists` if the name is taken,
 * `connection_aborted` if the connection breaks; an `AbortError` if `signal` is aborted.
 */
export async function uploadFile(
  path: VirtualPath,
  content: Blob,
  { override = false, signal, onProgress }: UploadOptions = {},
): Promise<UploadResult> {
  const { status, text, header } = await sendWithProgress({
    method: createResource.method,
    url: urlOf(createResource, { path, query: { override: String(override) } }),
    headers: { 'Content-Type': 'application/octet-stream' },
    body: content,
    signal,
    onProgress,
  });
  if (status < 200 || status >= 300) throw toApiError(status, text, header('Retry-After'));
  onProgress?.(content.size);
  return { etag: header('ETag') };
}
