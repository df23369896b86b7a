import { byteLengthOf } from '@filestead/contract/paths/raw-names';
import {
  childOf,
  isInvisible,
  maxNameBytes,
  isValidNewName,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';

/**
 * The reason why a name cannot be used. Each except `unchanged` is a key below `nameProblems` in the `files`
 * namespace.
 */
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
  /** The name as it is sent, without spaces at its ends. */
  readonly name: string;
  readonly problem: NameProblem | null;
}

/**
 * Checks a name while it is typed. `isTaken` looks up names in the folder; `current` is the name of the entry being
 * renamed, which is reported as unchanged instead of taken.
 */
export function checkName(
  input: string,
  folder: VirtualPath,
  isTaken: (name: string) => boolean,
  current?: string,
): NameCheck {
  const name = input.trim();
  return { name, problem: findProblem(name, folder, isTaken, current) };
}

function findProblem(
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

/**
 * Returns the end of a name without its last extension, which is what an editor of the name selects. The names of folders and
 * dotfiles have no extension.
 */
export function stemEnd(name: string, isFolder: boolean): number {
  const dot = name.lastIndexOf('.');
  return isFolder || dot <= 0 ? name.length : dot;
}
