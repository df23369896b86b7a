import { createResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { errorOfAnswer } from './api-error.ts';
import { urlOf } from './call.ts';
import { sendWithProgress } from './send-with-progress.ts';

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
 * Sends `content` to `path` in one request. Throws `ApiError`: `already_exists` when the name is taken,
 * `connection_aborted` when the connection breaks; an `AbortError` when `signal` says so.
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
  if (status < 200 || status >= 300) throw errorOfAnswer(status, text, header('Retry-After'));
  onProgress?.(content.size);
  return { etag: header('ETag') };
}
