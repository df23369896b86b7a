import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { RemoveOptions, Storage } from '../storage/storage.ts';

/**
 * Deletes a file, a link, or a folder with its content. Throws `root_is_protected`, `not_found`, and `not_a_folder` when
 * the path has a trailing slash but does not lead to a folder.
 */
export async function deleteEntry(
  storage: Storage,
  { path, isFolderPath }: RequestedPath,
  options: RemoveOptions,
): Promise<void> {
  if (path === '/') throw new AppError('root_is_protected');
  if (isFolderPath) {
    const entry = await storage.stat(path);
    if (entry !== null && entry.kind !== 'folder') throw new AppError('not_a_folder');
  }
  await storage.remove(path, options);
}
