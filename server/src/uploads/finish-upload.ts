import type { FileEvents } from '../access/file-events.ts';
import type { Operations } from '../access/operation.ts';
import type { FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError, isAppError } from '../errors.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { LiveUpload } from './live-upload.ts';
import { createdParentsOf, partOf, type UploadRegistry } from './upload-registry.ts';

/** Throws when the entry `current` blocks an upload: a folder always, a file unless it may be replaced. */
export function assertReplaceable(current: Entry | null, overrides: boolean, canModify: boolean): void {
  if (current === null) return;
  if (current.kind === 'folder') throw new AppError('bad_request', 'a folder with this name exists');
  if (!overrides) throw new AppError('already_exists');
  if (!canModify) throw new AppError('forbidden');
}

/** Publishes a complete upload under its name, or blocks it and throws the reason. */
export type FinishUpload = (userContext: UserContext, storage: Storage, upload: LiveUpload) => Promise<void>;

/**
 * Returns the function that finishes uploads. An upload that cannot be finished is kept as blocked until its user decides
 * about it; an empty one is dropped.
 */
export function openFinishUpload(
  registry: UploadRegistry,
  events: FileEvents,
  operations: Operations,
  folderUploads: FolderUploadRecorder,
): FinishUpload {
  return async (userContext, storage, upload) => {
    const { record } = upload;
    const operation = operations.begin(userContext, 'upload');
    const kept: KeptEntry[] = [];
    const keeping = operation.keepOptions('upload', kept);
    for (const place of createdParentsOf(upload)) keeping.onParent?.(place);
    try {
      await events.runWhenReady(
        { event: 'upload', userContext, path: record.path, destination: null, operation, kept },
        (beforeChange) =>
          storage.partial(record.path, partOf(upload)).publish(record.lengthBytes, {
            confirm: (entry) => assertReplaceable(entry, record.overrides, userContext.user.perm.modify),
            beforeChange: () => beforeChange(),
            ...keeping,
          }),
      );
    } catch (error) {
      const isKept = record.lengthBytes > 0 && (await registry.isKept(upload));
      if (isKept) {
        const reason = isAppError(error) ? error : new AppError('internal_error');
        await registry.block(upload, reason.code, reason.detail ?? null);
      } else {
        // `drop` waits for the end of the lease, which this request has.
        upload.lease = null;
        await registry.drop(upload);
      }
      throw error;
    }
    upload.operation = operation.id;
    record.blockedBy = null;
    record.blockedDetail = null;
    record.isFinished = true;
    if (record.folder !== null) folderUploads.recordArrived(record.folder.id, record.folder.file);
    if (record.isByPath) await registry.forget(upload);
    else await registry.save(upload, record.lengthBytes);
  };
}
