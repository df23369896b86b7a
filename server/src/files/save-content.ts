import type { FileChange, FileEvents } from '../access/file-events.ts';
import { operationHeader, type Operations } from '../access/operation.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { SaveContent } from '../http/files/content-views.ts';
import { entityTagOf } from '../http/files/entity-tag.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import { saveFile } from './save-file.ts';

/** Returns the function that saves a file for a request. */
export const openSaveContent =
  ({
    events,
    space,
    operations,
  }: {
    events: FileEvents;
    space: UploadSpace;
    operations: Operations;
  }): SaveContent =>
  async ({ userContext, requested, reply, ...save }) => {
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
