import { uploadFiles, type UploadAnswer, type UploadBatch } from '@filestead/contract/uploads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort } from './api-error.ts';
import { send } from './call.ts';

/** One file of a batch. */
export interface BatchFile {
  readonly path: VirtualPath;
  readonly content: Blob;
  readonly override: boolean;
  /** The same for each attempt to send this file. */
  readonly key: string;
}

interface BatchOptions {
  signal: AbortSignal;
  /** Called for each file when it is stored (null) or refused. */
  onAnswer: (index: number, error: ApiError | null) => void;
}

const errorIn = ({ code, status }: UploadAnswer): ApiError | null =>
  code === undefined ? null : new ApiError(status ?? 500, code);

/**
 * Sends several small files in one request. Resolves when the response has ended, which may be before all files were
 * answered. Throws {@link ApiError} if all of them were refused or the connection breaks, and an `AbortError`.
 */
export async function uploadBatch(
  files: readonly BatchFile[],
  { signal, onAnswer }: BatchOptions,
): Promise<void> {
  const head: UploadBatch = {
    files: files.map(({ path, content, override, key }) => ({
      path,
      size: content.size,
      override,
      key,
    })),
  };
  const body = new Blob([`${JSON.stringify(head)}\n`, ...files.map(({ content }) => content)]);
  const response = await send(uploadFiles, { content: body, signal });
  if (response.body === null) throw new ApiError(response.status, 'internal_error');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = '';
  for (;;) {
    const { done, value } = await read(reader);
    if (done) return;
    const lines = (unfinished + value).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as UploadAnswer;
      onAnswer(answer.file, errorIn(answer));
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
