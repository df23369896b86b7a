import { isAppError } from '../../errors.ts';
import type { PlacedKept } from '../../database/trash-repository.ts';
import type { Storage } from '../../storage/storage.ts';
import { keptEntryOf } from './kept-entry.ts';

/**
 * Whether an entry is no longer in its store. While the store cannot be read, its disk may not be mounted, and nothing is known about
 * its entries.
 * @param storage rooted at the served folder
 */
export async function isMissing(storage: Storage, kept: PlacedKept): Promise<boolean> {
  try {
    await (await storage.kept(keptEntryOf(kept))).close();
    return false;
  } catch (error) {
    if (!isAppError(error, 'not_found')) return false;
    const reports = await storage.stores({ isBrief: true });
    return reports.some((report) => report.store === kept.store && report.problem === null);
  }
}
