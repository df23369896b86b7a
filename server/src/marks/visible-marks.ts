import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { goneMarkDays } from '@filestead/contract/values/limits';
import type { MarkRepository, StoredMark } from '../database/mark-repository.ts';
import { isAppError } from '../errors.ts';
import type { Entry } from '../storage/storage.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** The number of entries that are read at once. */
const parallelReads = 16;
/** The time for which marks of missing entries are kept (milliseconds). */
export const goneMarkMs = goneMarkDays * 24 * 60 * 60 * 1000;

/** A mark that its user may see now. */
export interface VisibleMark {
  readonly mark: StoredMark;
  /** In the user's scope. */
  readonly path: VirtualPath;
  /** Null for an entry that is in the trash or missing. */
  readonly entry: Entry | null;
}

/** Whether a user who opens one folder after the other finds the entry: a rule may allow it below a folder that is denied. */
function isListed(storage: NarrowedStorage, path: VirtualPath): boolean {
  for (let at = path; at !== rootPath; at = parentOf(at)) if (!storage.isShown(at)) return false;
  return true;
}

/**
 * Returns a mark as the user may see it with the current permissions; null if a listing would not show the entry. The name of a
 * missing entry is shown only where the user could list it.
 */
async function visibleMark(storage: NarrowedStorage, mark: StoredMark): Promise<VisibleMark | null> {
  const path = storage.fromPlace(mark.path);
  if (path === null || path === rootPath || !isListed(storage, path)) return null;
  if (mark.keptId !== null) return { mark, path, entry: null };
  try {
    const entry = await storage.stat(path);
    // An entry of another kind with the same name is not the marked one.
    const isSameKind = entry !== null && (entry.kind === 'folder') === mark.isFolder;
    return { mark, path, entry: isSameKind ? entry : null };
  } catch (error) {
    if (isAppError(error, 'not_found', 'not_a_folder')) return { mark, path, entry: null };
    if (isAppError(error)) return null;
    throw error;
  }
}

/** The dependencies of {@link visibleMarks}. */
export interface VisibleMarksParts {
  readonly storage: NarrowedStorage;
  readonly repository: Pick<MarkRepository, 'setGone'>;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Returns those of the marks that their user may see now, in their order, and records which entries are missing and which have come
 * back. Missing ones are left out after {@link goneMarkDays}.
 */
export async function visibleMarks(
  { storage, repository, now }: VisibleMarksParts,
  marks: readonly StoredMark[],
): Promise<VisibleMark[]> {
  const found: (VisibleMark | null)[] = [];
  const waiting = marks.entries();
  const readNext = async (): Promise<void> => {
    for (const [index, mark] of waiting) found[index] = await visibleMark(storage, mark);
  };
  await Promise.all(Array.from({ length: parallelReads }, readNext));
  const visible = found.filter((mark) => mark !== null);
  const gone = visible.filter(({ mark, entry }) => entry === null && mark.goneAt === null);
  const back = visible.filter(({ mark, entry }) => entry !== null && mark.goneAt !== null);
  const placesOf = (changed: readonly VisibleMark[]): number[] => changed.map(({ mark }) => mark.place);
  if (gone.length > 0) await repository.setGone(placesOf(gone), now);
  if (back.length > 0) await repository.setGone(placesOf(back), null);
  return visible.filter(({ mark, entry }) => entry !== null || now - (mark.goneAt ?? now) < goneMarkMs);
}
