import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply } from 'fastify';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import { operationHeader, type Operations } from '../access/operation.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { UserContext } from '../access/user-context.ts';
import { entityTagOf } from '../http/files/entity-tag.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Entry } from '../storage/storage.ts';
import { saveFile } from './save-file.ts';

/** A request that replaces the content of a file. */
export interface SaveContent {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when unknown. */
  readonly announcedBytes: number;
  /** The `If-Match` header. */
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
  /** Receives the headers of the operation and of the new version. */
  readonly reply: FastifyReply;
}

/** Returns the function that saves a file for a request: with its hooks, its operation, and the former state as a version. */
export const openSaveContent =
  ({ events, space, operations }: { events: FileEvents; space: UploadSpace; operations: Operations }) =>
  async ({ userContext, requested, reply, ...save }: SaveContent): Promise<Entry> => {
    const storage = await userContext.storage();
    const operation = operations.begin(userContext, 'save');
    reply.header(operationHeader, operation.id);
    const { path } = requested;
    const kept: KeptEntry[] = [];
    const change: FileChange = { event: 'save', userContext, path, destination: null, operation, kept };
    const entry = await events.runWhenReady(change, (beforeChange) =>
      saveFile(storage, space, {
        ...save,
        requested,
        beforeChange,
        keeping: operation.keepOptions('save', kept),
      }),
    );
    reply.header('etag', entityTagOf(entry));
    return entry;
  };

export type SaveContentFor = ReturnType<typeof openSaveContent>;
