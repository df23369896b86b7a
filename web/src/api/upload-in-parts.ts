import {
  appendUpload,
  createUpload,
  endUpload,
  tusContentType,
  tusVersion,
} from '@filestead/contract/uploads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, toApiError } from './api-error.ts';
import { urlOf } from './call.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { sendSigned } from './signed-request.ts';
import type { UploadOptions } from './upload.ts';

/** The state of an upload on the server. An interrupted upload can be resumed with it. */
export interface PartialUpload {
  /** The address at which the upload is resumed; null until the server has created it. */
  address: string | null;
  /** Number of bytes that the server has confirmed. */
  offset: number;
}

interface PartsOptions extends UploadOptions {
  /** Updated during the upload. If it has an address, the upload is resumed at the offset of the server. */
  partial: PartialUpload;
  /** Maximum size of a chunk. */
  partBytes: number;
  /** Called with the offset whenever the server has confirmed it. */
  onConfirmed?: ((offset: number) => void) | undefined;
}

const tus = { 'Tus-Resumable': tusVersion };

/**
 * Sends `content` to `path` in chunks (tus 1.0); the file appears with its last byte. Throws as `uploadFile` does.
 * After any error it can be called again with the same `partial`, which resumes at the offset of the server.
 */
export async function uploadInParts(
  path: VirtualPath,
  content: Blob,
  { override = false, signal, onProgress, onConfirmed, partial, partBytes }: PartsOptions,
): Promise<void> {
  if (partial.address !== null) await syncOffset(partial, partial.address, signal);
  const address = partial.address ?? (await createOnServer(path, content.size, override, partial, signal));
  onConfirmed?.(partial.offset);
  while (partial.offset < content.size) {
    const start = partial.offset;
    const { status, text, header } = await sendWithProgress({
      method: appendUpload.method,
      url: address,
      headers: { ...tus, 'Content-Type': tusContentType, 'Upload-Offset': String(start) },
      body: content.slice(start, start + partBytes),
      signal,
      onProgress: onProgress && ((sentBytes) => onProgress(start + sentBytes)),
    });
    if (status < 200 || status >= 300) throw toApiError(status, text, header('Retry-After'));
    partial.offset = offsetIn(header('Upload-Offset'));
    if (partial.offset <= start) throw new ApiError(status, 'upload_offset_mismatch');
    onConfirmed?.(partial.offset);
  }
}

/**
 * Cancels an upload; the server removes its bytes. Best effort: if the server cannot be reached, the upload expires
 * there.
 */
export async function cancelUpload(partial: PartialUpload): Promise<void> {
  const { address } = partial;
  partial.address = null;
  partial.offset = 0;
  if (address === null) return;
  try {
    await sendSigned(address, { method: endUpload.method, headers: tus });
  } catch {
    // It expires on the server.
  }
}

async function createOnServer(
  path: VirtualPath,
  size: number,
  override: boolean,
  partial: PartialUpload,
  signal: AbortSignal | undefined,
): Promise<string> {
  const response = await sendSigned(urlOf(createUpload, { path, query: { override: String(override) } }), {
    method: createUpload.method,
    headers: { ...tus, Accept: 'application/json', 'Upload-Length': String(size) },
    signal: signal ?? null,
  });
  if (!response.ok) {
    throw toApiError(response.status, await response.text(), response.headers.get('Retry-After'));
  }
  const location = response.headers.get('Location');
  if (location === null)
    throw new ApiError(response.status, 'internal_error', { detail: 'The response has no Location header.' });
  // A proxy may have changed host or scheme; the upload is on the server of this page.
  const { pathname, search } = new URL(location, document.baseURI);
  partial.address = `${pathname}${search}`;
  partial.offset = 0;
  return partial.address;
}

/** Determines the offset at which to resume. An upload that the server no longer knows starts anew. */
async function syncOffset(partial: PartialUpload, address: string, signal?: AbortSignal): Promise<void> {
  const offset = await fetchUploadOffset(address, signal);
  if (offset === null) partial.address = null;
  partial.offset = offset ?? 0;
}

/** Fetches the offset of an upload from the server; null if it no longer knows the upload. Throws `ApiError`. */
export async function fetchUploadOffset(address: string, signal?: AbortSignal): Promise<number | null> {
  const response = await sendSigned(address, { method: 'HEAD', headers: tus, signal: signal ?? null });
  if (response.status === 404 || response.status === 410) return null;
  if (!response.ok) throw toApiError(response.status, '', response.headers.get('Retry-After'));
  return offsetIn(response.headers.get('Upload-Offset'));
}

function offsetIn(header: string | null): number {
  const offset = Number(header ?? Number.NaN);
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new ApiError(0, 'internal_error', { detail: 'The response has no valid Upload-Offset header.' });
}
