import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import { trackChange } from '../feedback/undo.ts';

type Change<Args extends unknown[]> = (...args: Args) => Promise<VirtualPath[]>;

/** Returns a change that fetches its code on first use. If that fails, the user gets a notice, and nothing is changed. */
function onFirstUse<Args extends unknown[]>(load: () => Promise<Change<Args>>): Change<Args> {
  const code = lazyPart(load);
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
