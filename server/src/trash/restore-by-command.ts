import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import { numberedPaths } from '../access/numbered-paths.ts';
import type { RestorationResult } from '../database/restoration-repository.ts';
import type { TrashRepository } from '../database/trash-repository.ts';
import { isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { TrashIndex } from './trash-index.ts';

/** The parts of the server that {@link restoreByCommand} uses. */
export interface CommandRestoration {
  readonly repository: Pick<TrashRepository, 'find'>;
  readonly index: TrashIndex;
  /** Rooted at the served folder. */
  readonly storage: Storage;
}

/** Restores a deleted entry for the command line: to its place, or into `folder`, under a free name. */
export async function restoreByCommand(
  { repository, index, storage }: CommandRestoration,
  id: string,
  folder: VirtualPath | null,
): Promise<RestorationResult> {
  const kept = await repository.find(id);
  if (kept === null) return { failure: `not in the trash: ${id}` };
  const target = folder ?? parentOf(kept.place);
  for (const path of numberedPaths(childOf(target, nameOf(kept.place)))) {
    try {
      await storage.restore(keptEntryOf(kept), path, { conflict: 'fail', createParents: true });
      await index.restored(kept, path, () => true);
      return { path };
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code !== 'already_exists') return { failure: `${id}: ${error.message}` };
    }
  }
  return { failure: `${id}: no free name in ${target}` };
}
