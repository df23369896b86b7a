import { randomBytes } from 'node:crypto';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { newTemporaryName } from '../storage/disk/paths/temporary-names.ts';
import type { Storage } from '../storage/storage.ts';
import { assertReplaceable, type FinishUpload } from './finish-upload.ts';
import { type LiveUpload, liveUpload } from './live-upload.ts';
import { partOf, scopeOf, type UploadRegistry } from './upload-registry.ts';

/** The properties of a new upload. */
export interface BeginUpload {
  readonly path: VirtualPath;
  readonly lengthBytes: number;
  /** Whether an existing file is replaced. */
  readonly overrides: boolean;
  /** Whether the upload is identified by its path, as existing clients do. */
  readonly isByPath: boolean;
  /** Optional properties that the client sends as metadata. */
  readonly modifiedMs?: number | null;
  readonly clientKey?: string | null;
  readonly folder?: { readonly id: string; readonly file: string } | null;
}

/** Returns the function that begins uploads: it makes all possible checks and creates the unfinished file. */
export function openBeginUpload(parts: {
  readonly registry: UploadRegistry;
  readonly space: UploadSpace;
  readonly clock: Clock;
  readonly finish: FinishUpload;
  readonly folderUploads: FolderUploadRecorder;
  /** Throws `invalid_name` for a path whose names may not be created. */
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
}): (userContext: UserContext, upload: BeginUpload) => Promise<LiveUpload> {
  const { registry, space, clock, finish, folderUploads, assertCreatable } = parts;

  /**
   * Drops earlier uploads to `path`, which a client that identifies uploads by path would find instead of the new one.
   */
  const dropEarlier = async (
    userContext: UserContext,
    { path, lengthBytes, overrides, isByPath }: BeginUpload,
  ): Promise<void> => {
    if (!isByPath) return;
    const blocked = registry.blockedByPath(userContext, path, lengthBytes);
    // A client that identifies uploads by path sends the same file again.
    if (blocked !== null && blocked.lease === null) await registry.drop(blocked);
    const earlier = registry.byPath(userContext, path);
    if (earlier !== null && earlier.record.isByPath) {
      if (!overrides) throw new AppError('already_exists', 'this upload exists already');
      await registry.drop(earlier);
    }
  };

  return async (userContext, request) => {
    const {
      path,
      lengthBytes,
      overrides,
      isByPath,
      modifiedMs = null,
      clientKey = null,
      folder = null,
    } = request;
    const storage = await userContext.storage();
    const { modify } = userContext.user.perm;
    const current = await storage.stat(path);
    assertReplaceable(current, overrides, modify);
    if (current === null) await assertCreatable(storage, path);
    await dropEarlier(userContext, request);
    const upload = liveUpload(
      {
        id: randomBytes(24).toString('base64url'),
        userId: userContext.user.id,
        scope: scopeOf(userContext),
        path,
        partName: newTemporaryName(),
        lengthBytes,
        storedBytes: 0,
        overrides,
        isByPath,
        isFinished: false,
        expiresAt: registry.expiry(isByPath),
        beganAt: clock.now(),
        lastByteAt: clock.now(),
        modifiedMs,
        clientKey,
        folder,
        createdParents: 0,
        blockedBy: null,
        blockedDetail: null,
      },
      await space.reserve(storage, path, lengthBytes),
      clock.now(),
    );
    try {
      if (folder !== null)
        await folderUploads.recordBegun(userContext, folder.id, [
          { file: folder.file, path, sizeBytes: lengthBytes, modifiedMs: modifiedMs ?? 0 },
        ]);
      await registry.add(upload);
      await storage.partial(path, partOf(upload)).create({
        createParents: true,
        confirm: (entry) => assertReplaceable(entry, overrides, modify),
        onParent: () => void (upload.record.createdParents += 1),
      });
      if (upload.record.createdParents > 0) await registry.save(upload, 0);
    } catch (error) {
      await registry.forget(upload);
      throw error;
    }
    if (lengthBytes === 0) await finish(userContext, storage, upload);
    return upload;
  };
}
