import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTextual } from '@filestead/contract/values/media-types';
import type { OpenFile } from '../../storage/storage.ts';
import { AppError } from '../../errors.ts';
import { type ByteRange, parseRanges } from '../request/byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { entityTagOf } from './entity-tag.ts';
import {
  mediaTypeOfName,
  sniffedBytes,
  sniffMediaType,
  startsWithPdfHeader,
} from '../../media-types/media-type.ts';
import { checkPreconditions, rangeApplies } from '../request/preconditions.ts';
import { sendBytes, sendParts } from '../response/send-bytes.ts';
import { hijackReply } from '../response/hijack-reply.ts';

const passivePolicy =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/**
 * Headers of every response with the content of a user's file, so that it cannot act with this server's
 * origin.
 */
export const passiveHeaders = {
  'content-security-policy': `sandbox; ${passivePolicy}`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Cached only by the browser and revalidated at each use, because the file may change and the permission
  // may end.
  'cache-control': 'private, no-cache',
} as const satisfies OutgoingHttpHeaders;

/** The headers of a file's unmodified bytes. */
export const rawHeaders = { ...passiveHeaders, 'accept-ranges': 'bytes' } as const;

const binary = 'application/octet-stream';
const plainText = 'text/plain; charset=utf-8';

async function readHead(file: OpenFile): Promise<Uint8Array> {
  const head = Buffer.allocUnsafe(sniffedBytes);
  return head.subarray(0, await file.read(head, 0));
}

/**
 * Returns a media type that browsers do not execute. Documents and scripts are sent as plain text when shown
 * in the browser and as bytes when saved. SVG remains an image; the sandbox prevents its scripts from
 * running.
 */
async function servedMediaType(file: OpenFile, name: string, isInline: boolean): Promise<string> {
  const known = mediaTypeOfName(name);
  const mediaType = known ?? sniffMediaType(await readHead(file));
  if (mediaType === 'application/pdf') {
    return startsWithPdfHeader(await readHead(file)) ? mediaType : binary;
  }
  if (mediaType === 'image/svg+xml') return isInline ? mediaType : binary;
  if (/^(?:image|audio|video)\//.test(mediaType)) return mediaType;
  if (mediaType === 'text/vtt') return 'text/vtt; charset=utf-8';
  if (mediaType === 'text/plain') return plainText;
  if (isTextual(mediaType)) return isInline ? plainText : binary;
  return binary;
}

/**
 * Fetch destinations that execute a response or give it this server's origin. Browsers show PDFs with
 * `object` and `embed`.
 */
const activeDestinations = new Set([
  'audioworklet',
  'embed',
  'manifest',
  'object',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
]);

/** Refuses requests that would execute a file, or embed it in a page of another site. */
export function refuseActiveUse(headers: IncomingHttpHeaders, mediaType: string): void {
  const destination = headers['sec-fetch-dest'];
  if (typeof destination === 'string' && activeDestinations.has(destination.toLowerCase())) {
    const showsPdf = mediaType === 'application/pdf' && /^(?:embed|object)$/i.test(destination);
    if (!showsPdf) throw new AppError('forbidden', 'Files are not served as scripts or styles.');
  }
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate') {
    throw new AppError('forbidden', 'Files are not served to pages of other sites.');
  }
}

/** Options for sending a file. */
export interface SendFileOptions {
  /** Name under which a browser saves the file. */
  readonly name: string;
  /** True to show the file in the browser, false to save it. */
  readonly isInline: boolean;
}

const contentRange = ({ first, last }: ByteRange, size: number): string => `bytes ${first}-${last}/${size}`;

/**
 * Prepares a response with several ranges of a file (RFC 9110 §14.6). `length` is the size of the whole body
 * in bytes.
 */
function partsOf(
  ranges: readonly ByteRange[],
  mediaType: string,
  size: number,
): { type: string; length: number; parts: { head: string; range: ByteRange }[]; end: string } {
  const boundary = randomUUID();
  const parts = ranges.map((range, index) => ({
    head:
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\n` +
      `Content-Type: ${mediaType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
    range,
  }));
  const end = `\r\n--${boundary}--\r\n`;
  const length = parts.reduce(
    (sum, { head, range }) => sum + head.length + range.last - range.first + 1,
    end.length,
  );
  return { type: `multipart/byteranges; boundary=${boundary}`, length, parts, end };
}

/**
 * Sends an open file in response to a GET or HEAD request, including ranges, conditional requests and protective
 * headers. The response is sent directly; the caller closes the file afterwards. Throws
 * `precondition_failed`, `range_not_satisfiable` (with `Content-Range` set) and `forbidden` before anything
 * is sent.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  { name, isInline }: SendFileOptions,
): Promise<void> {
  const { size, modifiedNs } = file.entry;
  const { headers } = request.raw;
  const modifiedMs = Number(modifiedNs / 1_000_000n);
  const validators = { tag: entityTagOf(file.entry), modifiedMs };
  const mediaType = await servedMediaType(file, name, isInline);
  refuseActiveUse(headers, mediaType);

  const responseHeaders: OutgoingHttpHeaders = {
    etag: validators.tag,
    'last-modified': new Date(modifiedMs).toUTCString(),
    ...rawHeaders,
  };
  if (mediaType === 'application/pdf') responseHeaders['content-security-policy'] = passivePolicy;

  const outcome = checkPreconditions(headers, validators);
  if (outcome === 'failed') throw new AppError('precondition_failed');
  if (outcome === 'not_modified') {
    hijackReply(reply, 304, responseHeaders).end();
    return;
  }

  const isHead = request.raw.method === 'HEAD';
  const ranges =
    headers.range !== undefined && !isHead && rangeApplies(headers, validators)
      ? parseRanges(headers.range, size)
      : null;
  if (ranges === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable');
  }
  responseHeaders['content-disposition'] = contentDisposition(isInline ? 'inline' : 'attachment', name);
  if (ranges !== null && ranges.length > 1) {
    const { type, length, parts, end } = partsOf(ranges, mediaType, size);
    const response = hijackReply(reply, 206, {
      'content-type': type,
      'content-length': length,
      ...responseHeaders,
    });
    await sendParts(response, file, parts, end);
    return;
  }
  const range = ranges?.[0];
  if (range !== undefined) responseHeaders['content-range'] = contentRange(range, size);
  const part = range ?? { first: 0, last: size - 1 };
  responseHeaders['content-type'] = mediaType;
  responseHeaders['content-length'] = part.last - part.first + 1;

  const response = hijackReply(reply, range ? 206 : 200, responseHeaders);
  if (isHead || size === 0) response.end();
  else await sendBytes(response, file, part);
}
