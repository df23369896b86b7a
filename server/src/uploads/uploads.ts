import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { Operations } from '../access/operation.ts';
import type { FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { type BeginUpload, openBeginUpload } from './begin-upload.ts';
import { type BlockedChoice, openBlockedChoices } from './blocked-choices.ts';
import { openFinishUpload } from './finish-upload.ts';
import { type LiveUpload, UploadLease } from './live-upload.ts';
import { openReceivePart, type UploadPart } from './receive-part.ts';
import { partOf, type UploadRegistryOptions, UploadRegistry } from './upload-registry.ts';

/** The dependencies of {@link openUploads}. */
export interface UploadParts extends UploadRegistryOptions {
  readonly events: FileEvents;
  readonly operations: Operations;
  readonly space: UploadSpace;
  readonly folderUploads: FolderUploadRecorder;
  /** Throws `invalid_name` for a path whose names may not be created. */
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
}

/** The core of resumable uploads, for both dialects of the protocol. */
export interface Uploads {
  readonly registry: UploadRegistry;
  /**
   * Makes all possible checks and creates the unfinished file; an empty upload is finished at once. Throws
   * `already_exists`, `bad_request` (a folder), `forbidden`, `invalid_name`, `payload_too_large`, `storage_full`,
   * `too_many_requests`.
   */
  begin(userContext: UserContext, upload: BeginUpload): Promise<LiveUpload>;
  /**
   * Prepares the upload for more bytes: a request that is still sending is stopped. Finishes an upload whose bytes have
   * all arrived. Throws `not_found`, and the errors of finishing.
   */
  resume(userContext: UserContext, upload: LiveUpload): Promise<void>;
  /**
   * Appends bytes, and finishes the upload with the last of them. After an interruption the bytes that have arrived
   * count; of a part that exceeds the announced length or does not match its checksum, none do. Throws `upload_in_use`,
   * `upload_offset_mismatch`, `checksum_mismatch`, `bad_request`, `payload_too_large`, `not_found`, and the errors of
   * writing. An upload that cannot be finished becomes blocked.
   */
  append(userContext: UserContext, upload: LiveUpload, part: UploadPart): Promise<void>;
  /**
   * Finishes a blocked upload as the user has chosen. Throws `precondition_failed` for an incomplete one,
   * `upload_in_use`, and the errors of finishing; then it stays blocked.
   */
  choose(userContext: UserContext, upload: LiveUpload, choice: BlockedChoice): Promise<void>;
  /**
   * Whether `tail` is equal to the last stored bytes of an upload, which end at `offset`. Throws `upload_offset_mismatch`
   * for another offset, `bad_request` for a tail that begins before the file, `not_found`.
   */
  compare(userContext: UserContext, upload: LiveUpload, offset: number, tail: Uint8Array): Promise<boolean>;
}

/** Throws the reason if an upload is blocked, because it cannot continue before the user's choice. */
function assertNotBlocked({ record }: LiveUpload): void {
  if (record.blockedBy === null) return;
  throw new AppError(record.blockedBy, 'all bytes have arrived and the upload is blocked; see /api/uploads');
}

/** Runs `work` with the lease of an upload. The caller has checked that no other request has it. */
async function withLease(
  upload: LiveUpload,
  now: () => number,
  work: (lease: UploadLease) => Promise<void>,
): Promise<void> {
  const lease = new UploadLease(now);
  upload.lease = lease;
  try {
    await work(lease);
  } finally {
    upload.lease = null;
    lease.end();
  }
}

/** Opens the uploads of a server, including those of earlier runs. */
export async function openUploads(parts: UploadParts): Promise<Uploads> {
  const { events, operations, space, clock, log, folderUploads, assertCreatable } = parts;
  const registry = await UploadRegistry.open(parts);
  events.subscribe({
    after: (change) => (change.event === 'rename' ? registry.follow(change) : undefined),
  });

  const finish = openFinishUpload(registry, events, operations, folderUploads);
  const receive = openReceivePart({ registry, space, log });
  const begin = openBeginUpload({ registry, space, clock, finish, folderUploads, assertCreatable });
  const choose = openBlockedChoices({ registry, space, finish, assertCreatable });

  return {
    registry,
    begin,
    async choose(userContext, upload, choice) {
      const { record } = upload;
      if (record.isFinished || upload.offset < record.lengthBytes) {
        throw new AppError('precondition_failed', 'this upload is not blocked');
      }
      if (upload.lease !== null) throw new AppError('upload_in_use');
      await withLease(upload, clock.now, () => choose(userContext, upload, choice));
    },
    async compare(userContext, upload, offset, tail) {
      const { record } = upload;
      if (record.isFinished) throw new AppError('not_found');
      if (offset !== upload.offset) throw new AppError('upload_offset_mismatch');
      if (tail.length > offset) throw new AppError('bad_request', 'the bytes begin before the file');
      const storage = await userContext.storage();
      const stored = await storage.partial(record.path, partOf(upload)).read(offset - tail.length, offset);
      return Buffer.compare(stored, tail) === 0;
    },
    async resume(userContext, upload) {
      while (upload.lease !== null) await upload.lease.stop();
      const { record } = upload;
      if (record.isFinished) return;
      assertNotBlocked(upload);
      await withLease(upload, clock.now, async () => {
        const storage = await userContext.storage();
        const size = await storage.partial(record.path, partOf(upload)).size();
        if (size === null || size < upload.offset) {
          await registry.forget(upload);
          throw new AppError('not_found');
        }
        if (upload.offset === record.lengthBytes) await finish(userContext, storage, upload);
        else await registry.save(upload, record.storedBytes);
      });
    },
    async append(userContext, upload, part) {
      const { record } = upload;
      if (part.offset > record.lengthBytes)
        throw new AppError('bad_request', 'Upload-Offset: beyond the end');
      if (upload.lease?.isStalled === true) await upload.lease.stop();
      if (upload.lease !== null) throw new AppError('upload_in_use');
      if (part.offset !== upload.offset) throw new AppError('upload_offset_mismatch');
      if (record.isFinished) return;
      assertNotBlocked(upload);
      await withLease(upload, clock.now, async (lease) => {
        const storage = await userContext.storage();
        upload.partEndedAt = null;
        await receive(storage, upload, lease, part);
        upload.partEndedAt = clock.now();
        if (upload.offset === record.lengthBytes) await finish(userContext, storage, upload);
      });
    },
  };
}
