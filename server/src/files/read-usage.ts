import type { Usage } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptSpaceMeter } from '../access/keeping/kept-space-meter.ts';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Returns the total and used bytes of a folder's file system, and those of kept entries; 0 for other entries than folders
 * (docs/reference/filebrowser-api.md §1.9). Throws `not_found`, `external_link`.
 */
export async function readUsage(
  storage: Storage,
  path: VirtualPath,
  keeping: Pick<KeptSpaceMeter, 'spaceAt'>,
): Promise<Usage> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  // For broken and external links the storage throws the specific error.
  const hasUsage = entry.kind === 'folder' || entry.kind === 'invalid_link';
  if (!hasUsage) return { total: 0, used: 0, kept: 0, reclaimable: 0 };
  const { total, used, fileSystem } = await storage.usage(path);
  return { total, used, ...(await keeping.spaceAt(storage.toPlace(path), fileSystem)) };
}
