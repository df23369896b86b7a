import type { RequestedPath } from '@filestead/contract/virtual-path';
import { AppError, isAppError } from '../http/app-error.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';

/**
 * Opens one file for sending. Throws `not_found`, `special_file`, `external_link`, `forbidden`, `not_a_folder` (a trailing
 * slash after a file), and `not_built` for folders.
 */
export async function openRaw(storage: Storage, { path, isFolderPath }: RequestedPath): Promise<OpenFile> {
  if (isFolderPath) {
    const entry = await storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    throw new AppError(entry.kind === 'folder' ? 'not_built' : 'not_a_folder');
  }
  try {
    return await storage.openFile(path);
  } catch (error) {
    if (isAppError(error, 'is_folder')) throw new AppError('not_built', undefined, { cause: error });
    throw error;
  }
}
