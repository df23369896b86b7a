import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from '../entries/entry.ts';
import { containsDestination, type TransferKind } from './plan-transfer.ts';

export interface DestinationCheck {
  readonly isRefused: boolean;
  /** The key of a text below `transfer` with the reason, or with what will happen. */
  readonly reason: 'alreadyThere' | 'intoItself' | 'copiesHere' | null;
}

/** Checks whether entries may be moved or copied to a destination (docs/reference/behaviour.md §5). */
export function checkDestination(
  kind: TransferKind,
  entries: readonly FileEntry[],
  destination: VirtualPath,
): DestinationCheck {
  if (containsDestination(entries, destination)) return { isRefused: true, reason: 'intoItself' };
  const isSameFolder = entries.every(({ path }) => parentOf(path) === destination);
  if (!isSameFolder) return { isRefused: false, reason: null };
  return kind === 'move'
    ? { isRefused: true, reason: 'alreadyThere' }
    : { isRefused: false, reason: 'copiesHere' };
}
