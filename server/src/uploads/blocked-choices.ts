import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { numberedPaths } from '../access/numbered-paths.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import { AppError, isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Storage } from '../storage/storage.ts';
import type { LiveUpload } from './live-upload.ts';
import { partOf, type UploadRegistry } from './upload-registry.ts';

/** The user's choice for finishing a blocked upload. Discarding it is another request. */
export type BlockedChoice =
  | { readonly action: 'retry' | 'keep_both' | 'replace' }
  /** Store it under another path, in another folder or under another name. */
  | { readonly action: 'move'; readonly path: VirtualPath };

/** Returns a function that applies the user's choice. It must not be called concurrently for one upload. */
export function openBlockedChoices(parts: {
  readonly registry: UploadRegistry;
  readonly space: UploadSpace;
  /** Publishes the complete file under its name, or blocks the upload and throws the reason. */
  readonly finish: (userContext: UserContext, storage: Storage, upload: LiveUpload) => Promise<void>;
  /** Throws `invalid_name` for a path whose names may not be created. */
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
}): (userContext: UserContext, upload: LiveUpload, choice: BlockedChoice) => Promise<void> {
  const { registry, space, finish, assertCreatable } = parts;

  /** Finishes with changed properties; restores the previous ones when that fails. */
  const finishWith = async (
    userContext: UserContext,
    storage: Storage,
    upload: LiveUpload,
    change: Partial<Pick<LiveUpload['record'], 'path' | 'overrides'>>,
  ): Promise<void> => {
    const { path, overrides } = upload.record;
    Object.assign(upload.record, change);
    try {
      await finish(userContext, storage, upload);
    } catch (error) {
      Object.assign(upload.record, { path, overrides });
      const { blockedBy, blockedDetail } = upload.record;
      if (blockedBy !== null) await registry.block(upload, blockedBy, blockedDetail);
      throw error;
    }
  };

  const keepBoth = async (userContext: UserContext, storage: Storage, upload: LiveUpload): Promise<void> => {
    for (const candidate of numberedPaths(upload.record.path)) {
      if ((await storage.stat(candidate)) !== null) continue;
      await assertCreatable(storage, candidate);
      try {
        await finishWith(userContext, storage, upload, { path: candidate, overrides: false });
        return;
      } catch (error) {
        // Another request has used the name first.
        if (!isAppError(error, 'already_exists')) throw error;
      }
    }
    throw new AppError('already_exists');
  };

  /** Moves the unfinished file beside the new target first. It stays there when the name has come into use. */
  const move = async (
    userContext: UserContext,
    storage: Storage,
    upload: LiveUpload,
    path: VirtualPath,
  ): Promise<void> => {
    const { record } = upload;
    if (path === rootPath) throw new AppError('bad_request', 'the path must be that of a file');
    if ((await storage.stat(path)) !== null) throw new AppError('already_exists');
    await assertCreatable(storage, path);
    record.overrides = false;
    if (parentOf(path) !== parentOf(record.path)) {
      const reservation = await space.reserve(storage, path, record.lengthBytes);
      try {
        await storage.partial(record.path, partOf(upload)).moveTo(path);
        // The folders beside which it was created stay.
        record.createdParents = 0;
      } finally {
        reservation.release();
      }
    }
    record.path = path;
    await finish(userContext, storage, upload);
  };

  return async (userContext, upload, choice) => {
    const storage = await userContext.storage();
    switch (choice.action) {
      case 'retry':
        return finishWith(userContext, storage, upload, {});
      case 'replace':
        return finishWith(userContext, storage, upload, { overrides: true });
      case 'keep_both':
        return keepBoth(userContext, storage, upload);
      case 'move':
        return move(userContext, storage, upload, choice.path);
    }
  };
}
