import type { Sorting } from '@filestead/contract/users';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsRows } from '../../http/request/accepts.ts';
import { entityTagOf } from '../../http/files/entity-tag.ts';
import { partyOf } from '../../http/request/party-of.ts';
import { sendBytes } from '../../http/response/send-bytes.ts';
import { sendChunks } from '../../http/response/send-chunks.ts';
import { hijackReply } from '../../http/response/hijack-reply.ts';
import { type OpenFile, type Storage, shortListingEntries } from '../../storage/storage.ts';
import { folderAsJson, folderAsRows } from './listing-text.ts';
import type { Appearance } from './present-entry.ts';
import { readResource } from './read-resource.ts';

const json = 'application/json; charset=utf-8';
const rows = 'application/x-ndjson; charset=utf-8';

/** Sends a text file as bytes, with a media type that browsers do not interpret. */
async function sendText(file: OpenFile, { request, reply }: PresentResource): Promise<void> {
  const { size } = file.entry;
  const response = hijackReply(reply, 200, {
    'content-type': 'application/octet-stream',
    'content-length': size,
    etag: entityTagOf(file.entry),
  });
  if (request.method === 'HEAD' || size === 0) response.end();
  else await sendBytes(response, file, { first: 0, last: size - 1 });
}

/** A request for a file's details or a folder's listing, with the permissions of the reader. */
export interface PresentResource extends Appearance {
  /** Narrowed to the reader. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  /** The order of a folder's items. */
  readonly sorting: Sorting;
  /** If false, the type of text is `textImmutable`. */
  readonly canModify: boolean;
  /** If false, content and checksums are omitted. */
  readonly canDownload: boolean;
  /** If false, the text of a text file is omitted. The default is true. */
  readonly withContent?: boolean;
  /** Send the bytes of a text file instead of its details. */
  readonly asBytes?: boolean;
  /** Name of a checksum algorithm, or empty. Only for files. */
  readonly checksum: string;
  /** The `Accept` header. With `application/x-ndjson` a folder is sent as rows. */
  readonly accept: string | undefined;
  /** Called with the names of a folder that is sent. */
  readonly onListing?: ((names: readonly string[]) => void) | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/**
 * Sends a file's details or a folder's listing, as JSON or, for folders, as rows. Throws `not_found`, `forbidden`,
 * `unsupported_checksum`, `special_file`, `external_link`, `too_many_requests` (checksums) before the first byte is sent.
 */
export async function presentResource(resource: PresentResource): Promise<void> {
  const { storage, accept, request, reply } = resource;
  const result = await readResource(storage, { party: partyOf(request), ...resource });
  if (result.kind === 'bytes') {
    try {
      await sendText(result.file, resource);
    } finally {
      await result.file.close();
    }
  } else if (result.kind === 'file') {
    if (result.entityTag !== null) reply.header('etag', result.entityTag);
    await sendChunks(request, reply, json, result.json);
  } else {
    const { listing } = result;
    resource.onListing?.(listing.names);
    const options = { isShort: listing.names.length <= shortListingEntries };
    if (acceptsRows(accept)) {
      await sendChunks(request, reply, rows, folderAsRows(listing, resource), options);
    } else await sendChunks(request, reply, json, folderAsJson(listing, resource), options);
  }
}
