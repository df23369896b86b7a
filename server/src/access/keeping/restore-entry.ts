import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PlacedKept } from '../../database/trash-repository.ts';
import type { KeptEntry, RestoreOptions } from '../../storage/kept/kept-entries.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FileEvents } from '../file-events.ts';
import { keptEntryOf } from './kept-entry.ts';
import type { Operation } from '../operation.ts';

/** A restoration of a kept entry by a user. */
export interface RestoreEntry extends Pick<RestoreOptions, 'conflict' | 'createParents'> {
  readonly kept: PlacedKept;
  /** Its current place, and the destination, within the user's scope. */
  readonly path: VirtualPath;
  readonly to: VirtualPath;
  /** Awaited after the listeners and right before the change; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Moves a kept entry out of its store as a part of `operation`, notifies the listeners, and returns the entries that were
 * replaced and kept. The index is not changed. Throws the errors of `Storage.restore` and of listeners.
 */
export async function restoreEntry(
  events: FileEvents,
  storage: Pick<Storage, 'restore'>,
  operation: Operation,
  { kept, path, to, conflict, createParents, beforeChange, signal }: RestoreEntry,
): Promise<readonly KeptEntry[]> {
  const replaced: KeptEntry[] = [];
  const { userContext } = operation;
  const change = {
    event: 'restore',
    userContext,
    path,
    destination: to,
    operation,
    kept: replaced,
    keptId: kept.id,
  } as const;
  await events.runWhenReady(change, (begin) =>
    storage.restore(keptEntryOf(kept), to, {
      conflict,
      createParents,
      ...operation.keepOptions('restore', replaced),
      beforeChange: async () => {
        await begin();
        await beforeChange?.();
      },
      signal,
    }),
  );
  return replaced;
}
