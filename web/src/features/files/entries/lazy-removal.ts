import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';

const code = lazyPart(() => import('./remove-entries.ts'));

/** Deletes entries by `removeEntries`, whose code is fetched on first use. */
export async function removeEntries(
  ...args: Parameters<typeof import('./remove-entries.ts').removeEntries>
): Promise<VirtualPath[]> {
  return (await (await loadOrReport(code))?.removeEntries(...args)) ?? [];
}
