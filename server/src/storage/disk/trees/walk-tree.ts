import { joinPaths, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../../errors.ts';
import type { Entry, WalkOptions } from '../../storage.ts';
import { isErrno } from '../paths/syscalls.ts';
import { type Disk, sameNames } from '../disk.ts';
import { closeTree, openTree } from './open-tree.ts';
import { isExcluded } from '../paths/exclusions.ts';
import { identityOf } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { pathOf } from '../paths/path-of.ts';
import { findEntry } from '../read-entry.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { entryOf } from '../paths/metadata.ts';
import { runAsync } from '../paths/steps.ts';
import { traverse, type TreeFolder } from './traverse.ts';

/** The number of entries that are read in parallel; more gain nothing with Node's number of threads. */
const parallelStats = 32;

const pathBelow = (path: VirtualPath, relative: readonly string[]): VirtualPath =>
  joinPaths(path, pathOf(relative));

/** Reads the entry `name` of a folder that is being walked; null when it vanished. */
async function readChild(
  scopeRoot: ScopeRoot,
  { folder, names }: TreeFolder,
  name: string,
): Promise<Entry | null> {
  const stats = await lstatOrNull(folder, name);
  if (stats === null || isExcluded(scopeRoot.exclusions, identityOf(stats))) return null;
  if (!stats.isSymbolicLink()) return entryOf(name, stats, false);
  try {
    return (await runAsync(findEntry(scopeRoot, [...names, name])))?.entry ?? null;
  } catch (error) {
    if (isAppError(error, 'forbidden') || isErrno(error, 'EACCES')) return null;
    throw error;
  }
}

/** Returns the filter of a walk: it rejects entries that the caller refuses and real paths that the guard of the scope refuses. */
export function createAcceptFilter(
  { scopeRoot: { assertAllowed }, isDirect }: Disk,
  path: VirtualPath,
  { names }: TreeFolder,
  { accept }: WalkOptions,
): ((relative: readonly string[]) => boolean) | undefined {
  // When no link leads to the folder, the caller's own filter already covers the same paths.
  const isCovered = assertAllowed === undefined || (isDirect && sameNames(names, segmentsOf(path)));
  if (isCovered) return accept && ((relative) => accept(pathBelow(path, relative)));
  return (relative) => {
    if (accept !== undefined && !accept(pathBelow(path, relative))) return false;
    try {
      assertAllowed([...names, ...relative]);
      return true;
    } catch (error) {
      if (isAppError(error)) return false;
      throw error;
    }
  };
}

/** `Storage.walk` on a disk. */
export async function* walkTree(
  disk: Disk,
  path: VirtualPath,
  options: WalkOptions = {},
): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
  const { scopeRoot } = disk;
  const { signal } = options;
  const top = await openTree(scopeRoot, path);
  try {
    for await (const event of traverse(scopeRoot, top, {
      signal,
      accept: createAcceptFilter(disk, path, top, options),
    })) {
      if (event.kind === 'enter' && event.parent !== null) {
        const stats = await lstatOrNull(event.at.folder, '.');
        if (stats !== null)
          yield { path: pathBelow(path, event.at.relative), entry: entryOf(event.at.name, stats, false) };
      }
      if (event.kind !== 'entries') continue;
      const names = event.entries.map(({ name }) => name);
      for (let first = 0; first < names.length; first += parallelStats) {
        const batch = names.slice(first, first + parallelStats);
        const entries = await Promise.all(batch.map((name) => readChild(scopeRoot, event.at, name)));
        for (const entry of entries) {
          if (entry !== null) yield { path: pathBelow(path, [...event.at.relative, entry.name]), entry };
        }
      }
    }
  } finally {
    closeTree(scopeRoot, top.folder);
  }
}
