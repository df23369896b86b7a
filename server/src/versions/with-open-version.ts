import { childOf, nameOf, rootPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { StoredVersion } from '../database/version-repository.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';

/** Calls `work` with the open file of a version. */
export async function withOpenVersion<T>(
  storage: Storage,
  version: StoredVersion,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const kept = await storage.kept(keptEntryOf(version));
  try {
    const file = await kept.openFile(childOf(rootPath, nameOf(version.place)));
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  } finally {
    await kept.close();
  }
}
