import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { KeepRequest } from '../access/operation.ts';
import { AppError, isAppError } from '../errors.ts';
import type { KeepOptions } from '../storage/kept/kept-entries.ts';
import type { RemoveOptions, Storage } from '../storage/storage.ts';

/** Options of {@link deleteEntry}. */
export interface DeleteOptions extends Omit<RemoveOptions, keyof KeepOptions> {
  /** The options of keeping the entry; null removes it forever. */
  readonly keeping: KeepRequest | null;
}

/**
 * Deletes a file, a link, or a folder with its content: moves it to the trash, or removes it forever. Throws
 * `root_is_protected`, `not_found`, `cannot_keep`, `holds_mount`, and `not_a_folder` when the path has a trailing slash but
 * does not lead to a folder.
 */
export async function deleteEntry(
  storage: Storage,
  { path, isFolderPath }: RequestedPath,
  { keeping, ...options }: DeleteOptions,
): Promise<void> {
  if (path === '/') throw new AppError('root_is_protected');
  if (isFolderPath) {
    const entry = await storage.stat(path);
    if (entry !== null && entry.kind !== 'folder') throw new AppError('not_a_folder');
  }
  if (keeping?.skips(storage.toPlace(path)) === true) {
    if (keeping.isRequired) throw new AppError('cannot_keep', 'no deleted entries are kept in this folder');
    await storage.remove(path, options);
    return;
  }
  try {
    await storage.remove(path, { ...options, ...keeping });
  } catch (error) {
    if (keeping?.losesUnkept !== true || !isAppError(error, 'cannot_keep', 'keep_needs_copy')) throw error;
    await storage.remove(path, options);
  }
}
