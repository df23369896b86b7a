import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import { trackChange } from '../feedback/undo.ts';

type Change<Args extends unknown[]> = (...args: Args) => Promise<VirtualPath[]>;

const loads: (() => Promise<unknown>)[] = [];

/** Preloads the code of the changes while the page is idle, so that the first one does not wait for it. */
export function preloadChanges(): void {
  // A failure is reported when the code is actually needed.
  for (const load of loads) load().catch(() => undefined);
}

/** Returns a change that fetches its code on first use. If that fails, the user gets a notice, and nothing is changed. */
function onFirstUse<Args extends unknown[]>(load: () => Promise<Change<Args>>): Change<Args> {
  const code = lazyPart(load);
  loads.push(code.load);
  const run: Change<Args> = async (...args) => (await (await loadOrReport(code))?.(...args)) ?? [];
  return (...args) => trackChange(run(...args));
}

/** Moves or copies entries; see `transfer-entries.ts`. */
export const transferEntries = onFirstUse(
  async () => (await import('../transfers/transfer-entries.ts')).transferEntries,
);

/** Deletes entries; see `remove-entries.ts`. */
export const removeEntries = onFirstUse(
  async () => (await import('../entries/remove-entries.ts')).removeEntries,
);
