import { type ArchiveFormat, archiveFormatNames } from '@filestead/contract/values/archive-formats';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAppError } from '../errors.ts';
import { contentDisposition } from '../http/files/content-disposition.ts';
import { writeChunk } from '../http/response/send-bytes.ts';
import { rawHeaders } from '../http/files/send-file.ts';
import { partyOf } from '../http/request/party-of.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import { type QueuedTask, openFairQueue } from '../scheduling/fair-queue.ts';
import type { Storage } from '../storage/storage.ts';
import { openCompressor } from './open-compressor.ts';
import { planArchive } from './plan-archive.ts';

/** An archive to send in response to a GET or HEAD request. */
export interface SendArchiveOptions {
  /** Narrowed to the user or visitor who downloads the archive. */
  readonly storage: Storage;
  readonly paths: readonly VirtualPath[];
  readonly format: ArchiveFormat;
  /** Name of the download, without extension. */
  readonly name: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/**
 * Streams an archive. Throws the errors of {@link planArchive}, `archive_format_unavailable` and `too_busy` before the
 * first byte is sent. A later failure closes the connection, so that the client does not take a partial archive for a
 * complete one.
 */
export type SendArchive = (options: SendArchiveOptions) => Promise<void>;

/** Archives that are compressed at the same time. Each occupies a core. */
const maxCompressing = 8;
/** `Retry-After` when the limit is reached. */
const retryAfterSeconds = 10;

/**
 * Sends the pieces of an archive. A failure before the first piece is thrown, so that the response gets its error status; a
 * later one closes the connection.
 */
async function sendPieces(
  pieces: AsyncIterator<Uint8Array>,
  {
    headers,
    request,
    reply,
    signal,
  }: Pick<SendArchiveOptions, 'request' | 'reply' | 'signal'> & {
    readonly headers: OutgoingHttpHeaders;
  },
): Promise<void> {
  try {
    let piece = await pieces.next();
    const response = hijackReply(reply, 200, headers);
    if (request.raw.method === 'HEAD') {
      response.end();
      return;
    }
    try {
      for (; piece.done !== true; piece = await pieces.next()) {
        if (!(await writeChunk(response, piece.value))) return;
      }
      response.end();
    } catch (error) {
      response.destroy();
      if (!signal.aborted) request.log.warn({ err: error }, 'archive aborted: the download is incomplete');
    }
  } finally {
    await pieces.return?.();
  }
}

/** Returns a function that sends archives, at most `atOnce` at the same time. */
export function archiveSender(atOnce: number): SendArchive {
  // A client that does not read occupies its slot for any length of time. Requests beyond the limit are refused, not queued.
  const refusal = 'too_busy';
  const archives = openFairQueue({ running: atOnce, waiting: 0, refusal });
  const compressing = openFairQueue({ running: Math.min(maxCompressing, atOnce), waiting: 0, refusal });

  return async ({ storage, paths, format, name, request, reply, signal }) => {
    const { extension, mediaType } = archiveFormatNames[format];
    const headers = {
      ...rawHeaders,
      'accept-ranges': 'none',
      'content-type': mediaType,
      'content-disposition': contentDisposition('attachment', name + extension),
    };
    const members = await planArchive(storage, paths, signal);
    const slots: QueuedTask[] = [];
    try {
      const party = partyOf(request);
      slots.push(archives.enter(party));
      if (format !== 'zip' && format !== 'tar') slots.push(compressing.enter(party));
      const compress = await openCompressor(format);
      const packed = compress(storage.pack(members, { container: format === 'zip' ? 'zip' : 'tar', signal }));
      await sendPieces(packed[Symbol.asyncIterator](), { headers, request, reply, signal });
    } catch (error) {
      if (isAppError(error, 'too_busy')) reply.header('retry-after', retryAfterSeconds);
      throw error;
    } finally {
      for (const slot of slots) slot.end();
    }
  };
}
