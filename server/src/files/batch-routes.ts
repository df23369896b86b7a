import type { AuditOutcome } from '@filestead/contract/audit';
import type { ErrorCode } from '@filestead/contract/errors';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { type BatchFileResult, uploadFiles } from '@filestead/contract/uploads';
import { maxBatchBytes } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import { type Operation, operationHeader, type Operations } from '../access/operation.ts';
import type { FolderUploadFile, FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import { AppError } from '../errors.ts';
import { entityTagOf } from '../http/files/entity-tag.ts';
import { streamBody } from '../http/request/request-body.ts';
import { logError } from '../http/response/error-handler.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import { auditAction } from '../http/server/audit.ts';
import type { Call, Route } from '../http/server/route.ts';
import type { Entry } from '../storage/storage.ts';
import { type BatchFile, readBatch } from './read-batch.ts';
import { RecentUploads } from './recent-uploads.ts';
import { storeBatch } from './store-batch.ts';
import { type UploadParts, storeUpload } from './store-upload.ts';

type BatchCall = Pick<Call<typeof uploadFiles>, 'signal' | 'request'> & { readonly operation: Operation };

/** Yields the content of a file that is in memory. */
async function* inMemory(content: Uint8Array): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}

/** Returns the record of a file of a folder upload; empty for other files and invalid paths. */
function folderUploadFileOf({ path, content, source }: BatchFile): FolderUploadFile[] {
  if (source === null) return [];
  try {
    const { path: target, isFolderPath } = parsePath(path);
    if (isFolderPath) return [];
    return [{ file: source.file, path: target, sizeBytes: content.length, modifiedMs: source.modifiedMs }];
  } catch {
    // An invalid path is refused when the file is stored.
    return [];
  }
}

/** Registers the endpoint that stores several small files. */
export function registerBatches(
  app: FastifyInstance,
  {
    route,
    operations,
    folderUploads,
    ...parts
  }: UploadParts & {
    readonly route: Route;
    readonly operations: Operations;
    readonly folderUploads: FolderUploadRecorder;
  },
): void {
  const recent = new RecentUploads();

  const store = async (
    { path: sentPath, overrides, key, content }: BatchFile,
    operation: Operation,
    signal: AbortSignal,
  ): Promise<Pick<Entry, 'modifiedNs' | 'size'>> => {
    const { userContext } = operation;
    const { path, isFolderPath } = parsePath(sentPath);
    if (isFolderPath) throw new AppError('invalid_path');
    // Obtained for each file: rules may change meanwhile.
    const storage = await userContext.storage();
    const announcedBytes = content.length;
    const storeNow = (): Promise<Entry> =>
      storeUpload(parts, {
        operation,
        storage,
        path,
        content: inMemory(content),
        announcedBytes,
        overrides,
        signal,
      });
    if (key === null) return storeNow();
    return recent.storeOnce({ id: `${userContext.user.id}:${key}`, path, storage }, storeNow);
  };

  /** Stores one file and records it. Returns its result; throws if the request was aborted. */
  const storeOne = async (
    file: BatchFile,
    folderId: string | null,
    { operation, signal, request }: BatchCall,
  ): Promise<Omit<BatchFileResult, 'file'>> => {
    const record = (outcome: AuditOutcome, reason: ErrorCode | null = null): void =>
      auditAction(request, { event: 'file.create', outcome, reason, target: { path: file.path } });
    try {
      const entry = await store(file, operation, signal);
      record('success');
      if (folderId !== null && file.source !== null) folderUploads.recordArrived(folderId, file.source.file);
      return { etag: entityTagOf(entry) };
    } catch (error) {
      if (signal.aborted) {
        record('aborted');
        throw error;
      }
      const { code, status, detail } = logError(error, request);
      record(status >= 500 ? 'failed' : 'refused', code);
      return { code, status, ...(detail !== undefined && { detail }) };
    }
  };

  route(app, uploadFiles, async ({ userContext, request, reply, signal }) => {
    const { folderId, files } = await readBatch(streamBody(request.raw, maxBatchBytes));
    request.audit.target = { count: files.length };
    if (folderId !== null)
      await folderUploads.recordBegun(userContext, folderId, files.flatMap(folderUploadFileOf));
    const operation = operations.begin(userContext, 'upload');
    const response = hijackReply(reply, 200, {
      [operationHeader]: operation.id,
      'content-type': 'application/x-ndjson; charset=utf-8',
      // Disables buffering in proxies.
      'x-accel-buffering': 'no',
    });
    const send = sendLines(response);
    await storeBatch(files, (file) => storeOne(file, folderId, { operation, signal, request }), send, signal);
    response.end();
    return undefined;
  });
}

/** Returns a function that sends values as lines of JSON; those of one turn of the event loop together. */
function sendLines(response: ServerResponse): (value: unknown) => void {
  return (value) => {
    if (response.destroyed) return;
    if (response.writableCorked === 0) {
      response.cork();
      setImmediate(() => {
        if (!response.writableEnded) response.uncork();
      });
    }
    response.write(`${JSON.stringify(value)}\n`);
  };
}
