import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { PlannedItem } from './plan-items.ts';

/** The size of an entry, including everything below a folder. Only files contribute bytes. */
export interface TreeSize {
  readonly entries: number;
  readonly bytes: number;
}

/** Measures an item of a job. One that cannot be read counts as one entry; the job reports the error when it processes the item. */
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
