import { UploadBatch } from '@filestead/contract/uploads';
import { maxBatchBytes } from '@filestead/contract/values/limits';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { parseJson } from '../http/request/parse-json.ts';

/** One file of a batch with its content. */
export interface BatchFile {
  /** As sent: not checked yet. */
  readonly path: string;
  readonly overrides: boolean;
  /** Identifies the upload when it is sent again; null if the client sent none. */
  readonly key: string | null;
  readonly content: Uint8Array;
  /** The path in the folder on the user's machine, and the modification time there; null if the client sent none. */
  readonly source: { readonly file: string; readonly modifiedMs: number } | null;
}

/** The files of one request. */
export interface Batch {
  /** The id of the folder upload that the files belong to; null for none. */
  readonly folderId: string | null;
  readonly files: readonly BatchFile[];
}

/** Collects a body. Throws `payload_too_large` above the limit of a batch. */
async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBatchBytes) throw new AppError('payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Reads the whole body of a batch: one line of JSON that describes the files, then their bytes in the same order. Nothing
 * is stored before all of it has arrived. Throws `bad_request`, `payload_too_large`, and the errors of `body`.
 */
export async function readBatch(body: AsyncIterable<Uint8Array>): Promise<Batch> {
  const bytes = await collect(body);
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd < 0) throw new AppError('bad_request', 'the body does not begin with a line of JSON');
  const head = z.safeParse(UploadBatch, parseJson(bytes.subarray(0, lineEnd)));
  if (!head.success) throw new AppError('bad_request', 'the first line does not describe files');
  let offset = lineEnd + 1;
  const files = head.data.files.map(({ path, size, override, key, folderFile, modified }): BatchFile => {
    const content = bytes.subarray(offset, offset + size);
    offset += size;
    const source =
      folderFile === undefined || modified === undefined ? null : { file: folderFile, modifiedMs: modified };
    return { path, overrides: override, key: key ?? null, content, source };
  });
  if (offset !== bytes.length) throw new AppError('bad_request', 'the sizes do not add up to the body');
  return { folderId: head.data.folder ?? null, files };
}
