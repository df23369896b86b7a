import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { goneMarkDays } from '@filestead/contract/values/limits';
import type { MarkRepository, StoredMark } from '../database/mark-repository.ts';
import { isAppError } from '../errors.ts';
import { forEachConcurrently } from '../scheduling/for-each-concurrently.ts';
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

/**
 * Returns a mark as the user may see it with the current permissions; null if no listing from `top` on would show the entry. The
 * name of a missing entry is shown only where the user could list it.
 */
async function visibleMark(
  { storage, top }: VisibleMarksParts,
  mark: StoredMark,
): Promise<VisibleMark | null> {
  const path = storage.fromPlace(mark.path);
  if (path === null || path === rootPath || !storage.isShown(path, top)) return null;
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
  /** The folder that the user has opened, for the marks in it. By default the root. */
  readonly top?: VirtualPath;
  readonly repository: Pick<MarkRepository, 'setGone'>;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Returns those of the marks that their user may see now, in their order, and records which entries are missing and which have come
 * back. Missing ones are left out after {@link goneMarkDays}.
 */
export async function visibleMarks(
  parts: VisibleMarksParts,
  marks: readonly StoredMark[],
): Promise<VisibleMark[]> {
  const { repository, now } = parts;
  const found: (VisibleMark | null)[] = [];
  await forEachConcurrently(marks, parallelReads, async (mark, index) => {
    found[index] = await visibleMark(parts, mark);
  });
  const visible = found.filter((mark) => mark !== null);
  const gone = visible.filter(({ mark, entry }) => entry === null && mark.goneAt === null);
  const back = visible.filter(({ mark, entry }) => entry !== null && mark.goneAt !== null);
  const placesOf = (changed: readonly VisibleMark[]): number[] => changed.map(({ mark }) => mark.place);
  if (gone.length > 0) await repository.setGone(placesOf(gone), now);
  if (back.length > 0) await repository.setGone(placesOf(back), null);
  return visible.filter(({ mark, entry }) => entry !== null || now - (mark.goneAt ?? now) < goneMarkMs);
}
