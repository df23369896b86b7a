import { getTotals, type TotalsResult } from '@filestead/contract/endpoints/find';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';
import { isCatalogueOn, recordCatalogueOff } from '../../api/catalogue.ts';
import type { FolderTotal } from '../../features/files/listing/model/listing-entries.ts';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { buildingDelay } from '../../features/files/totals/building-delay.ts';

/** The shortest interval between two updates of the page while sizes arrive, in ms. */
const updateIntervalMs = 200;

/**
 * Loads the sizes of folders that are in several folders, by their paths from the root without a leading slash. The sizes of folders
 * in the same one arrive with one request; the requests are made one after another, and again while the catalogue is being built.
 * Null if the server has no catalogue.
 */
export async function loadFolderSizes(
  folders: readonly VirtualPath[],
  signal: AbortSignal,
  onSizes: (totals: ReadonlyMap<string, FolderTotal> | null) => void,
): Promise<void> {
  if (folders.length === 0 || !isCatalogueOn()) return;
  let parents = new Map<VirtualPath, VirtualPath[]>();
  for (const path of folders) {
    const parent = parentOf(path);
    const listed = parents.get(parent);
    if (listed) listed.push(path);
    else parents.set(parent, [path]);
  }
  const totals = new Map<string, FolderTotal>();
  let shownAtMs = Number.NEGATIVE_INFINITY;
  for (let requests = 1; ; requests++) {
    const unfinished = new Map<VirtualPath, VirtualPath[]>();
    for (const [parent, listed] of parents) {
      try {
        const { rows, coverage } = await call(getTotals, { path: parent, isFolder: true, signal });
        if (signal.aborted) return;
        if (coverage === 'building') unfinished.set(parent, listed);
        addSizes(totals, rows, listed);
        if (performance.now() < shownAtMs + updateIntervalMs) continue;
        shownAtMs = performance.now();
        onSizes(totals);
      } catch (error) {
        if (signal.aborted) return;
        if (!recordCatalogueOff(error)) continue;
        onSizes(null);
        return;
      }
    }
    onSizes(totals);
    const delayMs = unfinished.size === 0 ? null : buildingDelay(requests);
    if (delayMs === null) return;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (signal.aborted) return;
    parents = unfinished;
  }
}

/** Adds the known sizes of the folders `listed`, which are in the same one, whose `rows` have arrived. */
function addSizes(
  totals: Map<string, FolderTotal>,
  rows: TotalsResult['rows'],
  listed: readonly VirtualPath[],
): void {
  const sizes = new Map(rows.map((row) => [row.name, row]));
  for (const path of listed) {
    const { bytes = null, files = null, folders = null } = sizes.get(nameOf(path)) ?? {};
    const entries = files === null || folders === null ? {} : { entries: files + folders };
    if (bytes !== null) totals.set(path.slice(1), { bytes, checkedAtMs: null, ...entries });
  }
}

/** Shows the sizes of the listed folders, which are in several folders. */
export async function showFolderSizes(
  model: ListingModel,
  folders: readonly VirtualPath[],
  signal: AbortSignal,
): Promise<void> {
  if (folders.length === 0 || !isCatalogueOn()) return;
  model.expectTotals();
  await loadFolderSizes(folders, signal, (totals) => model.setTotals(totals));
}
