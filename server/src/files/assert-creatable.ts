import {
  type VirtualPath,
  isInvisible,
  isValidNewName,
  nameOf,
  parentOf,
  segmentsOf,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Throws `invalid_name` when an entry with an invalid name would have to be created for `path`. Existing names are not
 * checked.
 */
export async function assertCreatable(storage: Storage, path: VirtualPath): Promise<void> {
  if (segmentsOf(path).every(isValidNewName)) return;
  for (let folder = path; folder !== '/'; folder = parentOf(folder)) {
    if ((await storage.stat(folder)) !== null) return;
    const name = nameOf(folder);
    if (isInvisible(name))
      throw new AppError('invalid_name', 'the name consists of invisible characters only');
    if (!isValidNewName(name)) throw new AppError('invalid_name');
  }
}
