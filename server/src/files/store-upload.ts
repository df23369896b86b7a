import type { FileChange, FileEvents } from '../access/file-events.ts';
import type { Operation } from '../access/operation.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { type UploadFile, uploadFile } from './upload-file.ts';

/** The parts of the server that uploads in one request use. */
export interface UploadParts {
  readonly events: FileEvents;
  readonly space: UploadSpace;
}

/** An upload of one user. */
interface UserUpload extends Omit<UploadFile, 'canModify' | 'isNamedAtOnce' | 'beforeChange' | 'keeping'> {
  readonly operation: Operation;
  readonly storage: Storage;
}

/** Stores an upload and notifies the listeners of changes. Throws the errors of {@link uploadFile} and of listeners. */
export function storeUpload(
  { events, space }: UploadParts,
  { operation, storage, ...upload }: UserUpload,
): Promise<Entry> {
  const { path } = upload;
  const { userContext } = operation;
  const kept: KeptEntry[] = [];
  const change: FileChange = { event: 'upload', userContext, path, destination: null, operation, kept };
  return events.runWhenReady(change, (beforeChange) =>
    uploadFile(storage, space, {
      ...upload,
      isNamedAtOnce: !events.actsBefore('upload'),
      canModify: userContext.user.perm.modify,
      keeping: operation.keepOptions('upload', kept),
      beforeChange,
    }),
  );
}
