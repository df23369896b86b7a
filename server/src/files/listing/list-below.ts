import type { BelowEntry } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsRows } from '../../http/request/accepts.ts';
import { sendChunks } from '../../http/response/send-chunks.ts';
import { assertFolder } from '../../storage/assert-folder.ts';
import type { Entry, Storage } from '../../storage/storage.ts';
import { formatModified } from '../../format-time.ts';
import { modifiedMsOf } from './present-entry.ts';

/** Entries per chunk of the response. */
const entriesAtOnce = 200;

const present = (path: VirtualPath, entry: Entry): BelowEntry => ({
  path,
  name: entry.name,
  size: entry.size,
  modified: formatModified(modifiedMsOf(entry)),
  isDir: entry.kind === 'folder' && !entry.isSymlink,
});

/** Serializes all entries below a folder as JSON, in batches. */
async function* textsBelow(
  storage: Storage,
  folder: VirtualPath,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  let texts: string[] = [];
  for await (const { path, entry } of storage.walk(folder, { signal })) {
    texts.push(JSON.stringify(present(path, entry)));
    if (texts.length < entriesAtOnce) continue;
    yield texts;
    texts = [];
  }
  if (texts.length > 0) yield texts;
}

async function* asJson(texts: AsyncIterable<string[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of texts) {
    yield separator + batch.join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* asRows(texts: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const batch of texts) yield `${batch.join('\n')}\n`;
}

/** Options of {@link sendListBelow}. */
export interface ListBelow {
  readonly storage: Storage;
  readonly folder: VirtualPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/**
 * Sends all entries below a folder (docs/reference/filebrowser-api.md §6.4), as JSON or as rows. Throws `not_found`,
 * `not_a_folder`, `forbidden`, `external_link` before the first byte is sent.
 */
export async function sendListBelow(list: ListBelow): Promise<void> {
  const { storage, folder, request, reply, signal } = list;
  await assertFolder(storage, folder);
  const texts = textsBelow(storage, folder, signal);
  if (acceptsRows(request.headers.accept)) {
    await sendChunks(request, reply, 'application/x-ndjson; charset=utf-8', asRows(texts));
  } else {
    await sendChunks(request, reply, 'application/json; charset=utf-8', asJson(texts));
  }
}
