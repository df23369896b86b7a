import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import { entityTagOf, matchesTag } from '../http/files/entity-tag.ts';
import type { KeepOptions } from '../storage/kept/kept-entries.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { UploadSpace } from '../access/upload-space.ts';

/** A request to replace the content of a file. */
export interface SaveFile {
  readonly requested: RequestedPath;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when unknown. */
  readonly announcedBytes: number;
  /** The `If-Match` header: save only if the current state of the file is one of these. */
  readonly ifMatch: string | undefined;
  /** Awaited after all checks have passed and before the first change; throws to refuse. */
  readonly beforeChange: () => Promise<void>;
  /** Options that keep the former state; by default it is lost. */
  readonly keeping?: KeepOptions | undefined;
  readonly signal: AbortSignal;
}

/**
 * Replaces the content of a file. Throws `is_folder`, `not_found`, `precondition_failed`, `special_file`, `storage_full`,
 * and the errors of `content`. After an error the file has its old content.
 */
export async function saveFile(storage: Storage, space: UploadSpace, save: SaveFile): Promise<Entry> {
  const { requested, ifMatch, beforeChange, signal } = save;
  if (requested.isFolderPath) throw new AppError('is_folder');
  const confirm = (current: Entry | null): void => {
    if (current === null) throw new AppError('not_found');
    if (current.kind === 'folder') throw new AppError('is_folder');
    if (current.kind === 'special') throw new AppError('special_file');
    if (ifMatch !== undefined && !matchesTag(ifMatch, entityTagOf(current), 'strong')) {
      throw new AppError('precondition_failed');
    }
  };
  confirm(await storage.stat(requested.path));
  return space.storeReserved(storage, requested.path, save, (content) =>
    storage.write(requested.path, content, {
      mode: 'replace',
      ...(save.announcedBytes > 0 ? { announcedBytes: save.announcedBytes } : {}),
      confirm,
      beforeChange,
      signal,
      ...save.keeping,
    }),
  );
}
