import type { Usage } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Returns the total and used bytes of a folder's file system; 0 for other entries (docs/reference/filebrowser-api.md §1.9).
 * Throws `not_found`, `external_link`.
 */
export async function readUsage(storage: Storage, path: VirtualPath): Promise<Usage> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  // For broken and external links the storage throws the specific error.
  const hasUsage = entry.kind === 'folder' || entry.kind === 'invalid_link';
  return hasUsage ? storage.usage(path) : { total: 0, used: 0 };
}
