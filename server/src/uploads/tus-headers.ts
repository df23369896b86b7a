import {
  tusChecksumAlgorithms,
  tusContentType,
  tusExtensions,
  tusVersion,
} from '@filestead/contract/endpoints/resumable-uploads';
import { encodePath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { operationHeader } from '../access/operation.ts';
import type { LiveUpload } from './live-upload.ts';
import { PartChecksum } from './part-checksum.ts';

/**
 * Whether the client uses tus 1.0. Others use the dialect of existing clients (docs/reference/filebrowser-api.md §6.3).
 */
export const isTus = ({ headers }: FastifyRequest): boolean => headers['tus-resumable'] !== undefined;

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Sets `Tus-Resumable`, which "MUST be included in every request and response" (tus 1.0, Headers). Throws
 * `precondition_failed` for an unsupported version, and sets `Tus-Version` in that case.
 */
export function assertTusVersion(request: FastifyRequest, reply: FastifyReply): void {
  if (!isTus(request)) return;
  reply.header('tus-resumable', tusVersion);
  if (header(request, 'tus-resumable') === tusVersion) return;
  reply.header('tus-version', tusVersion);
  throw new AppError('precondition_failed', `Tus-Resumable: only version ${tusVersion} is supported`);
}

/** Returns the non-negative number of bytes in a header (tus 1.0, Upload-Offset and Upload-Length). Throws `bad_request`. */
export function readCount(request: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const text = header(request, name) ?? '';
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new AppError('bad_request', `${name}: expected a number of bytes`);
  return value;
}

/** Headers of unsupported extensions and protocols. Ignoring them would change the meaning of the request. */
const unsupportedHeaders = {
  'upload-concat': 'files cannot be concatenated from partial uploads; send each file as one upload',
  'upload-defer-length': 'the length is required; send it as Upload-Length',
  'upload-draft-interop-version': 'this protocol is not supported; use tus 1.0.0',
  'upload-complete': 'this protocol is not supported; use tus 1.0.0',
  'upload-incomplete': 'this protocol is not supported; use tus 1.0.0',
} as const;

/** Throws `bad_request` for headers that would make the stored file wrong if they were ignored. */
export function assertSupportedExtensions(request: FastifyRequest): void {
  for (const [name, reason] of Object.entries(unsupportedHeaders)) {
    if (request.headers[name] !== undefined) throw new AppError('bad_request', `${name}: ${reason}`);
  }
  if (/\bupload-checksum\b/i.test(header(request, 'trailer') ?? '')) {
    throw new AppError('bad_request', 'Upload-Checksum: send it as a header, not as a trailer');
  }
}

/** Returns the announced checksum of the body; null for none. Throws `bad_request`. */
export const readChecksum = (request: FastifyRequest): PartChecksum | null =>
  PartChecksum.parse(header(request, 'upload-checksum'));

/** Returns the value of `Upload-Metadata`; empty if it is missing. */
export const metadataHeader = (request: FastifyRequest): string => header(request, 'upload-metadata') ?? '';

/** Whether the body is part of an upload, by its media type. */
export const isPart = (request: FastifyRequest): boolean =>
  header(request, 'content-type')?.trim().toLowerCase() === tusContentType;

/**
 * Returns the method of a request, which `X-HTTP-Method-Override` replaces (tus 1.0). Throws `method_not_allowed` for
 * methods that uploads do not have.
 */
export function overriddenMethod(request: FastifyRequest): 'POST' | 'HEAD' | 'PATCH' | 'DELETE' {
  const method = header(request, 'x-http-method-override')?.toUpperCase() ?? 'POST';
  if (method === 'POST' || method === 'HEAD' || method === 'PATCH' || method === 'DELETE') return method;
  throw new AppError('method_not_allowed');
}

/** Returns the address of an upload. */
export function locationOf({ record }: LiveUpload, baseUrl: string): string {
  const path = `${baseUrl}/api/tus${encodePath(record.path)}`;
  return record.isByPath ? path : `${path}?upload=${record.id}`;
}

/** Sets the headers with the offset and expiry of an upload. */
export function setUploadHeaders(reply: FastifyReply, { record, offset, operation }: LiveUpload): void {
  reply.header('upload-offset', String(offset));
  if (operation !== null) reply.header(operationHeader, operation);
  if (!record.isByPath && !record.isFinished) {
    reply.header('upload-expires', new Date(record.expiresAt).toUTCString());
  }
}

/** Sets the headers with the server's capabilities (tus 1.0, OPTIONS). Without a size there is no limit. */
export function setServerHeaders(reply: FastifyReply, maxUploadBytes: number): void {
  reply.header('tus-resumable', tusVersion);
  reply.header('tus-version', tusVersion);
  reply.header('tus-extension', tusExtensions.join(','));
  reply.header('tus-checksum-algorithm', tusChecksumAlgorithms.join(','));
  if (maxUploadBytes > 0) reply.header('tus-max-size', String(maxUploadBytes));
}
