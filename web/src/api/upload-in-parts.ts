import {
  appendUpload,
  createUpload,
  endUpload,
  tusContentType,
  tusVersion,
} from '@filestead/contract/uploads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, errorOfAnswer } from './api-error.ts';
import { urlOf } from './call.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { sendSigned } from './signed-request.ts';
import type { UploadOptions } from './upload.ts';

/** An upload that is under way on the server. Whoever keeps it can go on with it after a break. */
export interface PartialUpload {
  /** Where it is gone on with; null while the server knows nothing of it. */
  address: string | null;
  /** Bytes that the server has said it holds. */
  offset: number;
}

interface PartsOptions extends UploadOptions {
  /** Changed as the upload goes on. One that has an address already is gone on with where the server has stopped. */
  partial: PartialUpload;
  /** The largest part. */
  partBytes: number;
  /** Told whenever the server has said how much it holds. */
  onHeld?: ((offset: number) => void) | undefined;
}

const tus = { 'Tus-Resumable': tusVersion };

/**
 * Sends `content` to `path` in parts (tus 1.0); the file appears with its last byte. Throws as `uploadFile`. After any
 * error it can be called again with the same `partial`, which goes on where the server has stopped.
 */
export async function uploadInParts(
  path: VirtualPath,
  content: Blob,
  { override = false, signal, onProgress, onHeld, partial, partBytes }: PartsOptions,
): Promise<void> {
  if (partial.address !== null) await catchUp(partial, partial.address, signal);
  const address = partial.address ?? (await begin(path, content.size, override, partial, signal));
  onHeld?.(partial.offset);
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
    if (status < 200 || status >= 300) throw errorOfAnswer(status, text, header('Retry-After'));
    partial.offset = offsetIn(header('Upload-Offset'));
    if (partial.offset <= start) throw new ApiError(status, 'upload_offset_mismatch');
    onHeld?.(partial.offset);
  }
}

/** Gives an upload up; the server removes what it holds of it. A server that cannot be told forgets it by itself later. */
export async function giveUpUpload(partial: PartialUpload): Promise<void> {
  const { address } = partial;
  partial.address = null;
  partial.offset = 0;
  if (address === null) return;
  try {
    await sendSigned(address, { method: endUpload.method, headers: tus });
  } catch {
    // It expires.
  }
}

async function begin(
  path: VirtualPath,
  size: number,
  override: boolean,
  partial: PartialUpload,
  signal: AbortSignal | undefined,
): Promise<string> {
  const answer = await sendSigned(urlOf(createUpload, { path, query: { override: String(override) } }), {
    method: createUpload.method,
    headers: { ...tus, Accept: 'application/json', 'Upload-Length': String(size) },
    signal: signal ?? null,
  });
  if (!answer.ok) {
    throw errorOfAnswer(answer.status, await answer.text(), answer.headers.get('Retry-After'));
  }
  const location = answer.headers.get('Location');
  if (location === null) throw new ApiError(answer.status, 'internal_error', { detail: 'no Location' });
  // A proxy may have put another host or scheme in front; the upload is on the server of this page.
  const { pathname, search } = new URL(location, document.baseURI);
  partial.address = `${pathname}${search}`;
  partial.offset = 0;
  return partial.address;
}

/** Finds out where to go on. An upload that the server no longer knows starts anew. */
async function catchUp(partial: PartialUpload, address: string, signal?: AbortSignal): Promise<void> {
  const offset = await fetchUploadOffset(address, signal);
  if (offset === null) partial.address = null;
  partial.offset = offset ?? 0;
}

/** Asks the server how many bytes it holds of an upload; null when it no longer knows it. Throws `ApiError`. */
export async function fetchUploadOffset(address: string, signal?: AbortSignal): Promise<number | null> {
  const answer = await sendSigned(address, { method: 'HEAD', headers: tus, signal: signal ?? null });
  if (answer.status === 404 || answer.status === 410) return null;
  if (!answer.ok) throw errorOfAnswer(answer.status, '', answer.headers.get('Retry-After'));
  return offsetIn(answer.headers.get('Upload-Offset'));
}

function offsetIn(header: string | null): number {
  const offset = Number(header ?? Number.NaN);
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new ApiError(0, 'internal_error', { detail: 'no Upload-Offset' });
}
