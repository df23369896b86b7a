import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { PlannedItem } from './plan-items.ts';

/** What an item holds: itself and, for a folder, everything below it. Bytes of files only. */
export interface TreeSize {
  readonly entries: number;
  readonly bytes: number;
}

/** Counts what a job has before it. What cannot be counted counts as one entry: the job finds out what is wrong with it. */
export async function measureTree(
  storage: Storage,
  item: PlannedItem,
  signal: AbortSignal,
): Promise<TreeSize> {
  let entries = 1;
  let bytes = 0;
  try {
    const entry = await storage.stat(item.from.path);
    if (entry?.kind === 'file') bytes = entry.size;
    if (entry?.kind !== 'folder' || entry.isSymlink) return { entries, bytes };
    for await (const { entry: inner } of storage.walk(item.from.path, { signal })) {
      entries += 1;
      if (inner.kind === 'file') bytes += inner.size;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { entries, bytes };
}
