import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { KeepOptions } from '../storage/kept/kept-entries.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';
import type { UploadSpace } from '../access/upload-space.ts';

/** A request to store an uploaded file. */
export interface UploadFile {
  readonly path: VirtualPath;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when unknown. */
  readonly announcedBytes: number;
  /** Replace an existing file. */
  readonly overrides: boolean;
  readonly canModify: boolean;
  /** See `WriteOptions.isNamedAtOnce`. */
  readonly isNamedAtOnce: boolean;
  /** Awaited after all checks have passed and before the first change; throws to refuse. */
  readonly beforeChange: () => Promise<void>;
  /** Options that keep the former state of a replaced file; by default it is lost. */
  readonly keeping?: KeepOptions | undefined;
  readonly signal: AbortSignal;
}

/** Up to this size (bytes) no space has to be reserved for an upload. */
const smallUploadBytes = 64 * 1024;

/** Throws when the existing entry may not be replaced: always for a folder, without permission for a file. */
function assertReplaceable(current: Entry | null, { overrides, canModify }: UploadFile): void {
  if (current === null) return;
  if (!overrides) throw new AppError('already_exists');
  if (current.kind === 'folder') throw new AppError('is_folder');
  if (!canModify) throw new AppError('forbidden');
}

/**
 * Stores an upload. All checks run before the first byte is read, and again when the file is published. Throws
 * `already_exists`, `forbidden`, `is_folder`, `not_a_folder`, `invalid_name`, `storage_full`, and the errors of `content`.
 * After an error an existing file is unchanged.
 */
export async function uploadFile(storage: Storage, space: UploadSpace, upload: UploadFile): Promise<Entry> {
  const { path, announcedBytes, overrides, isNamedAtOnce, beforeChange, signal } = upload;
  const isSmall = announcedBytes > 0 && announcedBytes <= smallUploadBytes;
  // `write` makes the same check before the first byte. For a large file it has to come before space is reserved.
  if (!isSmall) assertReplaceable(await storage.stat(path), upload);
  await assertCreatable(storage, path);
  return space.storeReserved(storage, path, upload, (content) =>
    storage.write(path, content, {
      mode: overrides ? 'either' : 'create',
      createParents: true,
      ...(announcedBytes > 0 ? { announcedBytes } : {}),
      confirm: (now) => assertReplaceable(now, upload),
      beforeChange,
      isNamedAtOnce,
      signal,
      ...upload.keeping,
    }),
  );
}
