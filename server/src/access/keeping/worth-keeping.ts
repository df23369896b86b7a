import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ReplacedState } from '../../storage/kept/kept-entries.ts';

/** An empty file younger than this is not kept: many programs create a file empty and then replace it with its content. */
const emptyFileMs = 60_000;

/** The exclusions that an administrator has configured. */
export interface KeepingExclusions {
  /** Folders in which nothing is kept. */
  readonly noTrashBelow: readonly VirtualPath[];
  /** Names of files whose former states are not kept. */
  readonly unversionedNames: readonly RegExp[];
}

/** Whether nothing is kept that is deleted or replaced at this place. */
export const isExcludedPlace = (
  place: VirtualPath,
  { noTrashBelow }: Pick<KeepingExclusions, 'noTrashBelow'>,
): boolean => noTrashBelow.some((folder) => isAtOrBelow(place, folder));

/** Whether the former state of a file is kept when it is replaced at `time` (Unix milliseconds). */
export function isWorthKeeping(
  { name, place, size, modifiedNs }: ReplacedState,
  time: number,
  exclusions: KeepingExclusions,
): boolean {
  if (exclusions.unversionedNames.some((pattern) => pattern.test(name))) return false;
  if (isExcludedPlace(place, exclusions)) return false;
  return size !== 0 || time - Number(modifiedNs / 1_000_000n) >= emptyFileMs;
}
