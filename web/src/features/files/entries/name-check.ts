import { byteLengthOf } from '@filestead/contract/paths/raw-names';
import {
  childOf,
  isInvisible,
  maxNameBytes,
  isValidNewName,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';

/** Why a name cannot be used. Each but `unchanged` is a text below `nameProblems` of the `files` namespace. */
export type NameProblem =
  | 'empty'
  | 'slash'
  | 'dots'
  | 'controlCharacter'
  | 'invisible'
  | 'tooLong'
  | 'tooDeep'
  | 'taken'
  | 'unchanged';

export interface NameCheck {
  /** As it would be sent: without blanks at its ends. */
  readonly name: string;
  readonly problem: NameProblem | null;
}

/**
 * Judges a name while it is typed. `isTaken` knows the names of the folder; `current` is the entry's present name when
 * it is being renamed, which is no conflict but no change either.
 */
export function checkName(
  typed: string,
  folder: VirtualPath,
  isTaken: (name: string) => boolean,
  current?: string,
): NameCheck {
  const name = typed.trim();
  return { name, problem: problemOf(name, folder, isTaken, current) };
}

function problemOf(
  name: string,
  folder: VirtualPath,
  isTaken: (name: string) => boolean,
  current: string | undefined,
): NameProblem | null {
  if (name === '') return 'empty';
  if (name.includes('/')) return 'slash';
  if (name === '.' || name === '..') return 'dots';
  if (byteLengthOf(name) > maxNameBytes) return 'tooLong';
  if (isInvisible(name)) return 'invisible';
  if (!isValidNewName(name)) return 'controlCharacter';
  try {
    childOf(folder, name);
  } catch {
    return 'tooDeep';
  }
  if (name === current) return 'unchanged';
  return isTaken(name) ? 'taken' : null;
}

/** Where the selection ends when a name is edited: before the last extension; folders and dotfiles whole. */
export function stemEnd(name: string, isFolder: boolean): number {
  const dot = name.lastIndexOf('.');
  return isFolder || dot <= 0 ? name.length : dot;
}
