import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Storage } from '../../storage/storage.ts';

/**
 * Whether the store in this folder can be read. If not, its disk may not be mounted, and nothing is known about its entries.
 * @param storage rooted at the served folder
 */
export async function isStoreInPlace(storage: Storage, store: VirtualPath): Promise<boolean> {
  const reports = await storage.stores({ isBrief: true });
  return reports.some((report) => report.store === store && report.problem === null);
}
