import { uploadFiles, type BatchFileResult, type UploadBatch } from '@filestead/contract/uploads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort, toApiError } from '../api-error.ts';
import { send, urlOf } from '../call.ts';
import { sendWithProgress } from '../send-with-progress.ts';
import { uploadOperations } from '../stored-operations.ts';
import type { UploadOptions } from './upload-in-parts.ts';

/** One file of a batch. */
export interface BatchFile {
  readonly path: VirtualPath;
  readonly content: Blob;
  readonly override: boolean;
  /** The same for each attempt to send this file. */
  readonly key: string;
  /** The modification time on the user's machine, in Unix milliseconds. */
  readonly modifiedMs?: number | undefined;
  /** The path in the folder upload that the file belongs to; null for none. */
  readonly folderFile?: string | null | undefined;
}

interface BatchOptions {
  /** The folder upload that the files belong to; null for none. */
  folderId?: string | null | undefined;
  signal: AbortSignal;
  /** Called for each file when it is stored (null) or refused. */
  onResult: (index: number, error: ApiError | null) => void;
}

const errorIn = ({ code, status, detail }: BatchFileResult): ApiError | null =>
  code === undefined ? null : new ApiError(status ?? 500, code, { detail });

function bodyOf(files: readonly BatchFile[], folderId: string | null): Blob {
  const head: UploadBatch = {
    ...(folderId !== null && { folder: folderId }),
    files: files.map(({ path, content, override, key, modifiedMs, folderFile }) => ({
      path,
      size: content.size,
      override,
      key,
      ...(folderId !== null &&
        folderFile != null &&
        modifiedMs !== undefined && { folderFile, modified: Math.max(0, modifiedMs) }),
    })),
  };
  return new Blob([`${JSON.stringify(head)}\n`, ...files.map(({ content }) => content)]);
}

/**
 * Sends one file in its own request, with progress. Throws {@link ApiError}: `already_exists` if the name is taken,
 * `connection_aborted` if the connection breaks; an `AbortError` if `signal` is aborted.
 */
export async function uploadAlone(
  file: BatchFile,
  folderId: string | null,
  { signal, onProgress }: Pick<UploadOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const body = bodyOf([file], folderId);
  const headBytes = body.size - file.content.size;
  const { status, text, header } = await sendWithProgress({
    method: uploadFiles.method,
    url: urlOf(uploadFiles, {}),
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
    signal,
    onProgress: onProgress && ((sentBytes) => onProgress(Math.max(0, sentBytes - headBytes))),
  });
  if (status < 200 || status >= 300) throw toApiError(status, text, header('Retry-After'));
  const [line = ''] = text.split('\n');
  if (line === '') throw new ApiError(0, 'connection_aborted');
  const error = errorIn(JSON.parse(line) as BatchFileResult);
  if (error !== null) throw error;
  uploadOperations.add(header('X-Operation'));
  onProgress?.(file.content.size);
}

/**
 * Sends several small files in one request. Resolves when the response has ended, which may be before all files have
 * a result. Throws {@link ApiError} if all of them were refused or the connection breaks, and an `AbortError`.
 */
export async function uploadBatch(
  files: readonly BatchFile[],
  { folderId = null, signal, onResult }: BatchOptions,
): Promise<void> {
  const response = await send(uploadFiles, { content: bodyOf(files, folderId), signal });
  if (response.body === null) throw new ApiError(response.status, 'internal_error');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = '';
  for (;;) {
    const { done, value } = await read(reader);
    if (done) return;
    const lines = (unfinished + value).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      const result = JSON.parse(line) as BatchFileResult;
      const error = errorIn(result);
      if (error === null) uploadOperations.add(response.headers.get('X-Operation'));
      onResult(result.file, error);
    }
  }
}

async function read(reader: ReadableStreamDefaultReader<string>): Promise<ReadableStreamReadResult<string>> {
  try {
    return await reader.read();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, 'connection_aborted', { cause: error });
  }
}
