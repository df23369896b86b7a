import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { Operation } from '../access/operation.ts';
import { restoreEntry } from '../access/keeping/restore-entry.ts';
import type { PlacedKept } from '../database/trash-repository.ts';
import { AppError } from '../errors.ts';

/** The destination of a former state. */
export interface RestoreKept {
  readonly to: VirtualPath;
  /** Whether the current file is kept and replaced; otherwise the name has to be free. */
  readonly replaces: boolean;
  /** Awaited right before the change; throws to refuse. */
  readonly beforeChange: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Moves a former state of a file out of its store, as a part of `operation`. Throws `not_found`, `already_exists`, `forbidden`. */
export async function restoreKept(
  {
    events,
    removeFromIndex,
  }: { readonly events: FileEvents; readonly removeFromIndex: (id: string) => Promise<void> },
  operation: Operation,
  kept: PlacedKept,
  { to, replaces, beforeChange, signal }: RestoreKept,
): Promise<void> {
  const storage = await operation.userContext.storage();
  const path = storage.fromPlace(kept.place);
  if (path === null) throw new AppError('not_found');
  await restoreEntry(events, storage, operation, {
    kept,
    path,
    to,
    conflict: replaces ? 'replace' : 'fail',
    createParents: true,
    beforeChange,
    signal,
  });
  await removeFromIndex(kept.id);
}
