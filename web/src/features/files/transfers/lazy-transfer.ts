import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';

const code = lazyPart(() => import('./transfer-entries.ts'));

/** Moves or copies entries by `transferEntries`, whose code is fetched on first use. */
export async function transferEntries(
  ...args: Parameters<typeof import('./transfer-entries.ts').transferEntries>
): Promise<VirtualPath[]> {
  return (await (await loadOrReport(code))?.transferEntries(...args)) ?? [];
}
