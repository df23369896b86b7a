import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { FolderWatches } from '../observe/folder-watches.ts';
import { at, type Folder, isSame, type LocatedFolder } from './paths/folder.ts';
import { type ScopeRoot, type ResolvedEntry } from './paths/locate.ts';
import type { Metadata } from './paths/metadata.ts';
import type { LetterCase } from './paths/letter-case.ts';
import { pathOf } from './paths/path-of.ts';
import type { Locks } from './locks.ts';
import type { PlaceholderRunner } from './paths/publish.ts';
import { ignoreErrno, syscalls } from './paths/syscalls.ts';
import { newTemporaryName } from './paths/temporary-names.ts';
import type { Stores } from './kept/stores.ts';
import type { DiskRings } from './ring/job-ring.ts';
import type { TemporaryJournal, TemporaryPlace } from './writes/temporary-journal.ts';

/** The resources that the verbs on a disk use. */
export interface Disk {
  readonly scopeRoot: ScopeRoot;
  /** The path of the scope's root in the outermost storage, on which the paths of the journal are based. */
  readonly prefix: readonly string[];
  /** Whether no link was followed between the storage on which the guard was set and this root. */
  readonly isDirect: boolean;
  readonly journal: TemporaryJournal | null;
  readonly locks: Locks;
  /** The stores of deleted and replaced entries; null when nothing is kept. */
  readonly stores: Stores | null;
  /** Reads and writes small files and folders in one step each; null if they are not used. */
  readonly rings: DiskRings | null;
  /** Watches observed folders. */
  readonly watches: FolderWatches;
  readonly clock: Clock;
  /** The case sensitivity of the file systems below the outermost root. */
  readonly letterCases: readonly LetterCase[];
}

/** The name that a finished temporary file in the same folder is going to get. */
export interface PublishTarget extends Pick<ResolvedEntry, 'folder' | 'name' | 'names' | 'link'> {
  /** The metadata of the entry when it was checked; null when there was none. */
  readonly stats: Metadata | null;
}

/** The path in the outermost storage of the entry with the real path `names` in this one. */
export const placeOf = ({ prefix }: Pick<Disk, 'prefix'>, names: readonly string[]): VirtualPath =>
  pathOf([...prefix, ...names]);

/**
 * Calls `work` with a new temporary name. The journal records the name until it is free again: `work` has renamed the entry
 * that it created, or `discard` (called when `work` fails) has removed it.
 */
export async function withTemporary<T>(
  disk: Disk,
  folderNames: readonly string[],
  work: (name: string) => Promise<T>,
  discard: (name: string) => Promise<void>,
): Promise<T> {
  const name = newTemporaryName();
  const place = [...disk.prefix, ...folderNames, name];
  await disk.journal?.begin(place);
  return endTemporary(
    disk,
    place,
    () => work(name),
    () => discard(name),
  );
}

/** Calls `work` with the temporary name of a new file in `folder`, as {@link withTemporary}. Removes the file if `work` fails. */
export const withTemporaryFile = <T>(
  disk: Disk,
  { folder, names }: LocatedFolder,
  work: (name: string) => Promise<T>,
): Promise<T> =>
  withTemporary(disk, names, work, async (name) => {
    await ignoreErrno(syscalls.unlink(at(folder, name)), 'ENOENT');
  });

/** The second half of {@link withTemporary}, for a temporary entry whose path is in the journal. */
export async function endTemporary<T>(
  { journal }: Pick<Disk, 'journal'>,
  place: TemporaryPlace,
  work: () => Promise<T>,
  discard: () => Promise<void>,
): Promise<T> {
  try {
    const result = await work();
    journal?.end(place);
    return result;
  } catch (error) {
    // A file that cannot be removed now stays in the journal for the next start. The first error is reported.
    await discard().then(
      () => journal?.end(place),
      () => undefined,
    );
    throw error;
  }
}

/**
 * Returns a function that records a placeholder in the journal while its work runs. The next start after a crash removes a
 * placeholder that `source` has not replaced.
 */
export function placeholderRunner(
  { journal, prefix }: Disk,
  target: { readonly names: readonly string[]; readonly name: string },
  source: { readonly names: readonly string[]; readonly name: string },
): PlaceholderRunner {
  return (work) => {
    if (journal === null) return work();
    const placeholder = {
      place: [...prefix, ...target.names, target.name],
      source: [...prefix, ...source.names, source.name],
    };
    return journal.runWithPlaceholder(placeholder, work);
  };
}

/** The key of {@link Locks} for one name of one folder, the same for every path that leads there. */
export const lockKey = (folder: Folder, name: string): string => `${folder.device}:${folder.inode}:${name}`;

/** Throws `root_is_protected` for the root of the storage. */
export function assertNotRoot(resolved: ResolvedEntry): void {
  if (resolved.name === '') throw new AppError('root_is_protected');
}

/** Whether `resolved` is in the folder with this identity or below it. */
export const isInside = (resolved: ResolvedEntry, folder: Pick<Folder, 'device' | 'inode'>): boolean =>
  resolved.ancestors.some((above) => isSame(above, folder));

/** Whether both paths, as lists of names, are equal. */
export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);
