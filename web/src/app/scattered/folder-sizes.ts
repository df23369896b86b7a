import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError } from '../../api/api-error.ts';
import { isCatalogueOn } from '../../api/catalogue.ts';
import type { FolderTotal } from '../../features/files/listing/model/listing-entries.ts';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { buildingDelay, requestTotals } from '../../features/files/totals/request-totals.ts';

/** The shortest interval between two updates of the page while sizes arrive, in ms. */
const updateIntervalMs = 200;

/** Folders by the folder that contains them. */
type ByParent = ReadonlyMap<VirtualPath, readonly VirtualPath[]>;

function groupByParent(folders: readonly VirtualPath[]): ByParent {
  const groups = new Map<VirtualPath, VirtualPath[]>();
  for (const path of folders) {
    const parent = parentOf(path);
    const group = groups.get(parent);
    if (group) group.push(path);
    else groups.set(parent, [path]);
  }
  return groups;
}

/** The sizes of folders by their paths from the root, without a leading slash. */
type Sizes = Map<string, FolderTotal>;

/**
 * Requests the sizes of folders once, with one request for those in the same folder, and adds the known ones to `sizes`. Calls
 * `onAdded` after each response. Returns the folders whose sizes the catalogue does not know yet. Requests that fail are skipped; throws
 * `ApiError` `catalogue_off`, and the abort reason of `signal`.
 */
async function addSizes(
  sizes: Sizes,
  groups: ByParent,
  { signal, onAdded }: { readonly signal: AbortSignal; readonly onAdded: () => void },
): Promise<ByParent> {
  const unknown = new Map<VirtualPath, readonly VirtualPath[]>();
  for (const [parent, folders] of groups) {
    const response = await requestTotals(parent, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isApiError(error, 'catalogue_off')) throw error;
      return null;
    });
    signal.throwIfAborted();
    if (response === null) continue;
    if (response.isBuilding) unknown.set(parent, folders);
    for (const path of folders) {
      const total = response.totals.get(nameOf(path));
      // Without its time: these sizes are not requested again when they are old.
      if (total !== undefined) sizes.set(path.slice(1), { ...total, checkedAtMs: null });
    }
    onAdded();
  }
  return unknown;
}

/**
 * Loads the sizes of folders that are in several folders, and passes on all known ones as they arrive, by their paths from the root
 * without a leading slash. They are requested again while the catalogue is being built. Null if the server has no catalogue.
 */
export async function loadFolderSizes(
  folders: readonly VirtualPath[],
  signal: AbortSignal,
  onSizes: (sizes: ReadonlyMap<string, FolderTotal> | null) => void,
): Promise<void> {
  if (folders.length === 0 || !isCatalogueOn()) return;
  const sizes: Sizes = new Map();
  let shownAtMs = Number.NEGATIVE_INFINITY;
  const onAdded = (): void => {
    if (performance.now() < shownAtMs + updateIntervalMs) return;
    shownAtMs = performance.now();
    onSizes(sizes);
  };
  let groups = groupByParent(folders);
  try {
    for (let requests = 1; ; requests++) {
      groups = await addSizes(sizes, groups, { signal, onAdded });
      onSizes(sizes);
      const delayMs = groups.size === 0 ? null : buildingDelay(requests);
      if (delayMs === null) return;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      signal.throwIfAborted();
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!isApiError(error, 'catalogue_off')) throw error;
    onSizes(null);
  }
}

/** Shows the sizes of the listed folders, which are in several folders. Calls `onShown` whenever some have arrived. */
export async function showFolderSizes(
  model: ListingModel,
  folders: readonly VirtualPath[],
  signal: AbortSignal,
  onShown?: () => void,
): Promise<void> {
  if (folders.length === 0 || !isCatalogueOn()) return;
  model.expectTotals();
  await loadFolderSizes(folders, signal, (sizes) => {
    model.setTotals(sizes);
    onShown?.();
  });
}
