import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendChunks } from '../../http/response/send-chunks.ts';
import { passiveHeaders } from '../../http/files/send-file.ts';
import type { Storage } from '../../storage/storage.ts';
import { readSubtitles } from './read-subtitles.ts';

/** Sends a subtitle file as WebVTT. Throws the errors of {@link readSubtitles} before the first byte is sent. */
export async function sendSubtitles(options: {
  /** Narrowed to the reader. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): Promise<void> {
  const { storage, requested, request, reply } = options;
  const subtitles = await readSubtitles(storage, requested);
  reply.headers(passiveHeaders);
  await sendChunks(request, reply, 'text/vtt; charset=utf-8', subtitles);
}
