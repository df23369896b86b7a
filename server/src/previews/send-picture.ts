import { extensionOfPictureType } from '@filestead/contract/values/picture-formats';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { parseRange } from '../http/request/byte-range.ts';
import { contentDisposition } from '../http/files/content-disposition.ts';
import { mediaTypeOfName } from '../media-types/media-type.ts';
import { type Validators, checkPreconditions, rangeApplies } from '../http/request/preconditions.ts';
import { rawHeaders } from '../http/files/send-file.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';

/** The response to a request for a preview. */
export interface PictureResponse {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly validators: Validators;
}

const headersOf = ({ tag, modifiedMs }: Validators): OutgoingHttpHeaders => ({
  // The response depends on the formats that the client accepts.
  vary: 'Accept, Sec-Fetch-Dest',
  etag: tag,
  'last-modified': new Date(modifiedMs).toUTCString(),
  ...rawHeaders,
});

/**
 * Sends 304 if the client has this picture, so that no picture has to be made. Returns whether it has sent a response.
 * Throws `precondition_failed`.
 */
export function sendIfNotModified({ request, reply, validators }: PictureResponse): boolean {
  const outcome = checkPreconditions(request.raw.headers, validators);
  if (outcome === 'failed') throw new AppError('precondition_failed');
  if (outcome === 'not_modified') hijackReply(reply, 304, headersOf(validators)).end();
  return outcome === 'not_modified';
}

/** Returns the file name of the download: `photo.heic` that was converted to JPEG is `photo.jpg`. */
function downloadName(name: string, mediaType: string): string {
  if (mediaTypeOfName(name) === mediaType) return name;
  const base = name.slice(name.lastIndexOf('/') + 1);
  return `${base.replace(/(?<=.)\.[^.]*$/, '')}${extensionOfPictureType(mediaType)}`;
}

/** Sends a preview, or a range of its bytes. Throws `range_not_satisfiable`. */
export function sendPicture(
  { request, reply, validators }: PictureResponse,
  { mediaType, bytes }: EncodedPicture,
  { name, isInline }: { name: string; isInline: boolean },
): void {
  const { headers, method } = request.raw;
  const isHead = method === 'HEAD';
  const range =
    headers.range !== undefined && !isHead && rangeApplies(headers, validators)
      ? parseRange(headers.range, bytes.length)
      : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes.length}`);
    throw new AppError('range_not_satisfiable');
  }
  const part = range === null ? bytes : bytes.subarray(range.first, range.last + 1);
  const response = hijackReply(reply, range === null ? 200 : 206, {
    'content-type': mediaType,
    'content-length': part.length,
    'content-disposition': contentDisposition(
      isInline ? 'inline' : 'attachment',
      downloadName(name, mediaType),
    ),
    ...headersOf(validators),
    ...(range !== null && { 'content-range': `bytes ${range.first}-${range.last}/${bytes.length}` }),
  });
  if (isHead) response.end();
  else response.end(part);
}
