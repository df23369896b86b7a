import { AppError } from '../../errors.ts';
import { type Folder, isSame } from './paths/folder.ts';
import { type ScopeRoot, type ResolvedEntry } from './paths/locate.ts';
import type { LetterCase } from './paths/letter-case.ts';
import type { Locks } from './locks.ts';
import { newTemporaryName } from './paths/temporary-names.ts';
import type { TemporaryJournal } from './writes/temporary-journal.ts';

/** The resources that the verbs on a disk use. */
export interface Disk {
  readonly scopeRoot: ScopeRoot;
  /** The names of the area's root, seen from the outermost storage; what the journal counts from. */
  readonly prefix: readonly string[];
  /** The root was reached without links, counted from where the guard of the area was set. */
  readonly isDirect: boolean;
  readonly journal: TemporaryJournal | null;
  readonly locks: Locks;
  /** How the disks below the outermost root compare names. */
  readonly letterCases: readonly LetterCase[];
}

/**
 * Does `work` with a new temporary name in `folder`. The journal remembers the name until it is free again: `work` has
 * renamed what it made, or `discard` (called when `work` fails) has removed it.
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
  try {
    const result = await work(name);
    disk.journal?.end(place);
    return result;
  } catch (error) {
    // A file that cannot be removed now stays in the journal for the next start. The first error is reported.
    await discard(name).then(
      () => disk.journal?.end(place),
      () => undefined,
    );
    throw error;
  }
}

/** Does something that makes a stand-in and replaces it; see {@link withStandIn}. */
export type DuringStandIn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Has the journal remember, while a name is taken by something empty, which thing is about to take it: a crash in between
 * leaves nothing that looks like it.
 */
export function withStandIn(
  { journal, prefix }: Disk,
  place: { readonly names: readonly string[]; readonly name: string },
  source: { readonly names: readonly string[]; readonly name: string },
): DuringStandIn {
  return (work) => {
    if (journal === null) return work();
    const standIn = {
      place: [...prefix, ...place.names, place.name],
      source: [...prefix, ...source.names, source.name],
    };
    return journal.duringStandIn(standIn, work);
  };
}

/** Work on one name of one folder happens one after the other, whichever path led there. */
export const lockKey = (folder: Folder, name: string): string => `${folder.device}:${folder.inode}:${name}`;

/** Throws `root_is_protected` for the root of the storage. */
export function assertNotRoot(resolved: ResolvedEntry): void {
  if (resolved.name === '') throw new AppError('root_is_protected');
}

/** Whether `spot` lies in the folder with this identity or below it. */
export const isInside = (resolved: ResolvedEntry, folder: Pick<Folder, 'device' | 'inode'>): boolean =>
  resolved.above.some((above) => isSame(above, folder));

export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);
