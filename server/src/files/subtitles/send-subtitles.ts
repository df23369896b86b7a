import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendChunks } from '../../http/response/send-chunks.ts';
import { passiveHeaders } from '../../http/files/send-file.ts';
import type { Storage } from '../../storage/storage.ts';
import { readSubtitles } from './read-subtitles.ts';

/** Answers with a subtitle file as WebVTT. Throws what {@link readSubtitles} throws, before anything is sent. */
export async function sendSubtitles(shown: {
  /** What the reader may see. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): Promise<void> {
  const { storage, requested, request, reply } = shown;
  const subtitles = await readSubtitles(storage, requested);
  reply.headers(passiveHeaders);
  await sendChunks(request, reply, 'text/vtt; charset=utf-8', subtitles);
}
