import { randomBytes } from 'node:crypto';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { RestorationResult } from '../database/restoration-repository.ts';
import type { VersionRepository } from '../database/version-repository.ts';
import { isAppError } from '../errors.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';

/** The parts of the server that {@link restoreVersionByCommand} uses. */
export interface VersionRestoration {
  readonly repository: Pick<VersionRepository, 'find' | 'remove'>;
  /** Adds the replaced state of the file to the index. */
  readonly record: (entries: readonly KeptEntry[]) => Promise<void>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  /** Whether the replaced state of the file is kept. */
  readonly keepsDeleted: boolean;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}

/** Restores a version for the command line: replaces the file, or writes the version to the new path `to`. */
export async function restoreVersionByCommand(
  { repository, record, storage, keepsDeleted, now }: VersionRestoration,
  id: string,
  to: VirtualPath | null,
): Promise<RestorationResult> {
  const version = await repository.find(id);
  if (version === null) return { failure: `there is no version: ${id}` };
  const path = to ?? version.place;
  const replaced: KeptEntry[] = [];
  const cause = { operation: randomBytes(16).toString('base64url'), userId: null, session: null } as const;
  try {
    await storage.restore(keptEntryOf(version), path, {
      conflict: to === null ? 'replace' : 'fail',
      createParents: true,
      keep: keepsDeleted ? { ...cause, act: 'restore', time: now() } : null,
      onKept: (entries) => replaced.push(...entries),
    });
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'already_exists') return { failure: `${path}: exists already` };
    if (error.code === 'not_found') return { failure: `${id}: is no longer in its store` };
    return { failure: `${id}: ${error.message}` };
  }
  await record(replaced);
  await repository.remove(id);
  return { path };
}
