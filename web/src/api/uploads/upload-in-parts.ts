import {
  appendUpload,
  createUpload,
  endUpload,
  tusContentType,
  tusVersion,
} from '@filestead/contract/endpoints/resumable-uploads';
import { discardUpload, listUploads } from '@filestead/contract/uploads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, toApiError } from '../api-error.ts';
import { call, urlOf } from '../call.ts';
import { sendWithProgress, type ProgressResponse } from '../send-with-progress.ts';
import { uploadOperations } from '../stored-operations.ts';
import { sendSigned } from '../signed-request.ts';

/** The options of sending one file. */
export interface UploadOptions {
  /** Overwrite an existing file. Default: such an upload is refused with `already_exists`. */
  override?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes sent. */
  onProgress?: ((sentBytes: number) => void) | undefined;
}

/** The state of an upload on the server. An interrupted upload can be resumed with it. */
export interface PartialUpload {
  /** The address at which the upload is resumed; null until the server has created it. */
  address: string | null;
  /** Number of bytes that the server has confirmed. */
  offset: number;
  /** The key of the upload once its creation was requested: the server may have created it although no response arrived. */
  key?: string | null;
}

/** The properties of an upload by which it is found and continued on other devices. */
export interface UploadProperties {
  /** Identifies the upload among those of all pages. */
  readonly key: string;
  /** The modification time of the file on the user's machine, in Unix milliseconds. */
  readonly modifiedMs?: number | undefined;
  /** The folder upload that the file belongs to, and its path in that folder. */
  readonly folder?: { readonly id: string; readonly file: string } | null | undefined;
}

interface PartsOptions extends UploadOptions {
  /** Updated during the upload. If it has an address, the upload is resumed at the offset of the server. */
  partial: PartialUpload;
  /** Maximum size of a chunk; 0 for no limit. */
  partBytes: number;
  properties: UploadProperties;
  /** Called with the offset whenever the server has confirmed it. */
  onConfirmed?: ((offset: number) => void) | undefined;
}

const tus = { 'Tus-Resumable': tusVersion };

/**
 * Sends `content` to `path` in chunks (tus 1.0), the first in the request that creates the upload; the file appears with
 * its last byte. Throws `ApiError`: `already_exists` if the name is taken, `connection_aborted` if the connection breaks;
 * an `AbortError` if `signal` is aborted. After any error it can be called again with the same `partial`, which resumes
 * at the offset of the server.
 */
export async function uploadInParts(
  path: VirtualPath,
  content: Blob,
  { override = false, signal, onProgress, onConfirmed, partial, partBytes, properties }: PartsOptions,
): Promise<void> {
  const chunkAt = (start: number): Blob =>
    content.slice(start, partBytes > 0 ? start + partBytes : content.size);
  const progressFrom = (start: number) =>
    onProgress && ((sentBytes: number) => onProgress(start + sentBytes));
  if (partial.address !== null) await syncOffset(partial, partial.address, signal);
  if (partial.address === null) {
    // An earlier request may have created the upload with some of its bytes: a request without a body returns the offset.
    const isRepeated = partial.key === properties.key;
    partial.key = properties.key;
    const response = await sendWithProgress({
      method: createUpload.method,
      url: urlOf(createUpload, { path, query: { override: String(override) } }),
      headers: {
        ...tus,
        'Upload-Length': String(content.size),
        'Upload-Metadata': metadataOf(properties),
        ...(isRepeated ? {} : { 'Content-Type': tusContentType }),
      },
      body: isRepeated ? new Blob([]) : chunkAt(0),
      signal,
      onProgress: isRepeated ? undefined : progressFrom(0),
    });
    const location = response.header('Location');
    // Only path and query are used: a proxy may have changed host or scheme.
    const address = location === null ? null : new URL(location, document.baseURI);
    if (address !== null) partial.address = `${address.pathname}${address.search}`;
    throwIfRefused(response);
    if (partial.address === null)
      throw new ApiError(response.status, 'internal_error', {
        detail: 'The response has no Location header.',
      });
    partial.offset = offsetIn(response.header('Upload-Offset'));
  }
  const { address } = partial;
  onConfirmed?.(partial.offset);
  while (partial.offset < content.size) {
    const start = partial.offset;
    const response = await sendWithProgress({
      method: appendUpload.method,
      url: address,
      headers: { ...tus, 'Content-Type': tusContentType, 'Upload-Offset': String(start) },
      body: chunkAt(start),
      signal,
      onProgress: progressFrom(start),
    });
    throwIfRefused(response);
    partial.offset = offsetIn(response.header('Upload-Offset'));
    if (partial.offset <= start) throw new ApiError(response.status, 'upload_offset_mismatch');
    onConfirmed?.(partial.offset);
  }
}

function throwIfRefused({ status, text, header }: ProgressResponse): void {
  if (status < 200 || status >= 300) throw toApiError(status, text, header('Retry-After'));
  // Only the response to the last bytes names an operation.
  uploadOperations.add(header('X-Operation'));
}

/** Encodes text as UTF-8 in Base64. */
const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function metadataOf({ key, modifiedMs, folder }: UploadProperties): string {
  const values: [string, string][] = [['uploadKey', key]];
  if (modifiedMs !== undefined && modifiedMs >= 0) values.push(['modifiedMs', String(modifiedMs)]);
  if (folder) values.push(['folderUpload', folder.id], ['folderFile', folder.file]);
  return values.map(([name, value]) => `${name} ${toBase64(value)}`).join(',');
}

/**
 * Cancels an upload; the server removes its bytes. Best effort: if the server cannot be reached, the upload expires
 * there.
 */
export async function cancelUpload(partial: PartialUpload): Promise<void> {
  const { address, key } = partial;
  partial.address = null;
  partial.offset = 0;
  partial.key = null;
  try {
    if (address !== null) await sendSigned(address, { method: endUpload.method, headers: tus });
    else if (key != null) await cancelByKey(key);
  } catch {
    // It expires on the server.
  }
}

/** Cancels an upload whose creation was requested, but whose address has not arrived. */
async function cancelByKey(key: string): Promise<void> {
  for (const upload of await call(listUploads))
    if (upload.key === key) await call(discardUpload, { params: { id: upload.id } });
}

/** Determines the offset at which to resume. An upload that the server no longer knows starts again. */
async function syncOffset(partial: PartialUpload, address: string, signal?: AbortSignal): Promise<void> {
  const offset = await fetchUploadOffset(address, signal);
  if (offset === null) {
    partial.address = null;
    partial.key = null;
  }
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
  if (header !== null && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new ApiError(0, 'internal_error', { detail: 'The response has no valid Upload-Offset header.' });
}
