import type { Usage } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';

/** Bytes of the file system that holds a folder; both are 0 for anything else (docs/reference/filebrowser-api.md §1.9). Throws `not_found`, `external_link`. */
export async function readUsage(storage: Storage, path: VirtualPath): Promise<Usage> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  // Of a link that leads nowhere or out the storage says why it is refused.
  const isAsked = entry.kind === 'folder' || entry.kind === 'invalid_link';
  return isAsked ? storage.usage(path) : { total: 0, used: 0 };
}
