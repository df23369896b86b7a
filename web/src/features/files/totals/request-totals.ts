import { getTotals } from '@filestead/contract/endpoints/find';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { recordCatalogueOff } from '../../../api/catalogue.ts';
import type { FolderTotal } from '../listing/model/listing-entries.ts';

const firstMs = 500;
const maxMs = 5000;
const maxRequests = 120;

/**
 * Returns the delay in ms before sizes are requested again that the catalogue, which is being built, did not know at the first
 * `requests` requests: 500 ms at first, then twice as long each time, up to 5 s. Null after ten minutes.
 */
export const buildingDelay = (requests: number): number | null =>
  requests > maxRequests ? null : Math.min(maxMs, firstMs * 2 ** (requests - 1));

/** The sizes of the folders in a folder. */
export interface RequestedTotals {
  /** By the name of the folder; folders whose size is unknown are missing. */
  readonly totals: ReadonlyMap<string, FolderTotal>;
  /** Whether sizes are missing because the catalogue is being built. */
  readonly isBuilding: boolean;
}

/** Requests the sizes of the folders in `folder`. Throws `ApiError`, and records that the server has no catalogue. */
export async function requestTotals(folder: VirtualPath, signal: AbortSignal): Promise<RequestedTotals> {
  try {
    const result = await call(getTotals, { path: folder, isFolder: true, signal });
    const totals = new Map<string, FolderTotal>();
    for (const { name, bytes, files, folders, checkedAt } of result.rows) {
      if (bytes === null) continue;
      // A comparison of the whole catalogue reads only the folders that have changed.
      const times = [checkedAt, result.checkedAt].flatMap((text) => (text ? [Date.parse(text)] : []));
      const checkedAtMs = times.length === 0 ? null : Math.max(...times);
      const counts = files === null || folders === null ? {} : { entries: files + folders, folders };
      totals.set(name, { bytes, checkedAtMs, ...counts });
    }
    return { totals, isBuilding: result.coverage === 'building' };
  } catch (error) {
    recordCatalogueOff(error);
    throw error;
  }
}
