import type { DuplicateFile, DuplicateGroup } from '@filestead/contract/endpoints/duplicates';

/** The file of each group that stays when the others are selected. */
export type KeepRule = 'oldest' | 'newest' | 'shortest';

/** Returns the file of a group that a rule keeps. The files are in the order of their times. */
function keptFile(files: readonly DuplicateFile[], rule: KeepRule): DuplicateFile | undefined {
  if (rule === 'oldest') return files[0];
  if (rule === 'newest') return files.at(-1);
  return files.toSorted((a, b) => a.path.length - b.path.length)[0];
}

/** Selects all files but one of each group. */
export function selectAllBut(groups: readonly DuplicateGroup[], rule: KeepRule): ReadonlySet<string> {
  return new Set(
    groups.flatMap(({ files }) => {
      const kept = keptFile(files, rule);
      return files.filter((file) => file !== kept).map(({ path }) => path);
    }),
  );
}

/** Whether a file may be selected: another one of its group stays. */
export const canSelect = ({ files }: DuplicateGroup, selected: ReadonlySet<string>, path: string): boolean =>
  selected.has(path) || files.some((file) => file.path !== path && !selected.has(file.path));

/**
 * Returns the selected files that are still listed. A group of which no file would stay, because the others are gone, loses its
 * selection.
 */
export function keepSelectable(
  groups: readonly DuplicateGroup[],
  selected: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    groups.flatMap(({ files }) => {
      const chosen = files.filter(({ path }) => selected.has(path));
      return chosen.length === files.length ? [] : chosen.map(({ path }) => path);
    }),
  );
}

/** Returns the number of bytes that all files of the groups but one of each occupy. */
export const reclaimableBytes = (groups: readonly DuplicateGroup[]): number =>
  groups.reduce((sum, { size, files }) => sum + size * (files.length - 1), 0);

/** Returns the number of bytes of the selected files. */
export const selectedBytes = (groups: readonly DuplicateGroup[], selected: ReadonlySet<string>): number =>
  groups.reduce(
    (sum, { size, files }) => sum + size * files.filter(({ path }) => selected.has(path)).length,
    0,
  );
