import {
  childOf,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
  withNumberSuffix,
} from '@filestead/contract/virtual-path';
import type { UploadSpace } from '../access/upload-space.ts';
import { AppError, isAppError } from '../http/app-error.ts';
import type { Caller } from '../http/caller.ts';
import type { Storage } from '../storage/storage.ts';
import type { LiveUpload } from './live-upload.ts';
import { partOf, type UploadShelf } from './upload-shelf.ts';

/** How a user lets a blocked upload be finished. Discarding it is another call. */
export type BlockedChoice =
  | { readonly action: 'retry' | 'keep_both' | 'replace' }
  /** Under another path: in another folder, or under another name. */
  | { readonly action: 'move'; readonly path: VirtualPath };

/** The highest number that is tried for a free name. */
const maxSuffix = 1_000;

/** Opens what can be done about blocked uploads. The function that is returned is called by one caller at a time. */
export function openBlockedChoices(parts: {
  readonly shelf: UploadShelf;
  readonly space: UploadSpace;
  /** Gives the whole file its name, or blocks the upload and throws why. */
  readonly finish: (caller: Caller, storage: Storage, upload: LiveUpload) => Promise<void>;
  /** Throws `invalid_name` for a path that would make a name nobody should have. */
  readonly refuseUnfitNames: (storage: Storage, path: VirtualPath) => Promise<void>;
}): (caller: Caller, upload: LiveUpload, choice: BlockedChoice) => Promise<void> {
  const { shelf, space, finish, refuseUnfitNames } = parts;

  /** Finishes with other facts; when that fails they are as they were. */
  const finishWith = async (
    caller: Caller,
    storage: Storage,
    upload: LiveUpload,
    change: Partial<Pick<LiveUpload['facts'], 'path' | 'overrides'>>,
  ): Promise<void> => {
    const { path, overrides } = upload.facts;
    Object.assign(upload.facts, change);
    try {
      await finish(caller, storage, upload);
    } catch (error) {
      Object.assign(upload.facts, { path, overrides });
      if (upload.facts.blockedBy !== null) await shelf.block(upload, upload.facts.blockedBy);
      throw error;
    }
  };

  const keepBoth = async (caller: Caller, storage: Storage, upload: LiveUpload): Promise<void> => {
    const { path } = upload.facts;
    for (let number = 0; number <= maxSuffix; number += 1) {
      const name = number === 0 ? nameOf(path) : withNumberSuffix(nameOf(path), number);
      const candidate = childOf(parentOf(path), name);
      if ((await storage.stat(candidate)) !== null) continue;
      await refuseUnfitNames(storage, candidate);
      try {
        await finishWith(caller, storage, upload, { path: candidate, overrides: false });
        return;
      } catch (error) {
        // Somebody else was quicker.
        if (!isAppError(error, 'already_exists')) throw error;
      }
    }
    throw new AppError('already_exists');
  };

  /** Moves the bytes beside the new target first: they stay there when the name turns out to be taken. */
  const move = async (
    caller: Caller,
    storage: Storage,
    upload: LiveUpload,
    path: VirtualPath,
  ): Promise<void> => {
    const { facts } = upload;
    if (path === rootPath) throw new AppError('bad_request', 'the path has to name a file');
    if ((await storage.stat(path)) !== null) throw new AppError('already_exists');
    await refuseUnfitNames(storage, path);
    facts.overrides = false;
    if (parentOf(path) !== parentOf(facts.path)) {
      const promised = await space.promise(storage, path, facts.lengthBytes);
      try {
        await storage.partial(facts.path, partOf(upload)).moveTo(path);
      } finally {
        promised.release();
      }
    }
    facts.path = path;
    await finish(caller, storage, upload);
  };

  return async (caller, upload, choice) => {
    const storage = await caller.storage();
    switch (choice.action) {
      case 'retry':
        return finishWith(caller, storage, upload, {});
      case 'replace':
        return finishWith(caller, storage, upload, { overrides: true });
      case 'keep_both':
        return keepBoth(caller, storage, upload);
      case 'move':
        return move(caller, storage, upload, choice.path);
    }
  };
}
