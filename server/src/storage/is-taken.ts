import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../errors.ts';
import type { Storage } from './storage.ts';

/** Whether a name exists, or is denied to the user of a storage. */
export async function isTaken(storage: Pick<Storage, 'stat'>, path: VirtualPath): Promise<boolean> {
  try {
    return (await storage.stat(path)) !== null;
  } catch (error) {
    if (isAppError(error, 'forbidden')) return true;
    throw error;
  }
}
