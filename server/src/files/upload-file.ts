import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';
import type { UploadSpace } from '../access/upload-space.ts';

/** A file that is being uploaded. */
export interface UploadFile {
  readonly path: VirtualPath;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when it is not known. */
  readonly announcedBytes: number;
  /** Replace a file that is there. */
  readonly overrides: boolean;
  readonly canModify: boolean;
  /** Awaited when nothing speaks against it any more and before anything is changed; throws to refuse. */
  readonly beforeChange: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Refuses what is at the place of an upload: a folder always, a file unless it may be replaced. */
function refuseToReplace(current: Entry | null, { overrides, canModify }: UploadFile): void {
  if (current === null) return;
  if (!overrides) throw new AppError('already_exists');
  if (current.kind === 'folder') throw new AppError('is_folder');
  if (!canModify) throw new AppError('forbidden');
}

/**
 * Stores an upload; everything that can be refused is refused before the first byte is read, and once more when the file
 * takes its place. Throws `already_exists`, `forbidden`, `is_folder`, `not_a_folder`, `invalid_name`, `storage_full`,
 * and whatever `content` throws; then what was there stays as it was.
 */
export async function uploadFile(storage: Storage, space: UploadSpace, upload: UploadFile): Promise<Entry> {
  const { path, overrides, beforeChange, signal } = upload;
  const current = await storage.stat(path);
  refuseToReplace(current, upload);
  if (current === null) await assertCreatable(storage, path);
  return space.storeReserved(storage, path, upload, (content) =>
    storage.write(path, content, {
      mode: overrides ? 'either' : 'create',
      createParents: true,
      confirm: (now) => refuseToReplace(now, upload),
      beforeChange,
      signal,
    }),
  );
}
