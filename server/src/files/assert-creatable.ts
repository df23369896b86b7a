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
 * Refuses a path that would make a name nobody should have. Names that exist already may be used, whatever they are.
 * Throws `invalid_name`.
 */
export async function assertCreatable(storage: Storage, path: VirtualPath): Promise<void> {
  if (segmentsOf(path).every(isValidNewName)) return;
  for (let folder = path; folder !== '/'; folder = parentOf(folder)) {
    if ((await storage.stat(folder)) !== null) return;
    const name = nameOf(folder);
    if (isInvisible(name)) throw new AppError('invalid_name', 'nothing of the name can be seen');
    if (!isValidNewName(name)) throw new AppError('invalid_name');
  }
}
