import type { Rule } from '@filestead/contract/rules';
import { joinPaths, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isCaseIgnoredAt, type LetterCase } from '../../storage/disk/paths/letter-case.ts';
import { type CompiledRules, compileRules } from './compile-rules.ts';

/**
 * The part of the served tree that a user may list, from one of their folders down; plain data, so that it can be sent to
 * another thread and compiled there.
 */
export interface VisiblePart {
  /** The real path of the folder in the served folder, links resolved. */
  readonly place: VirtualPath;
  /** The paths of the folder in the user’s scope that rules are compared with: the requested one and the real one, once if equal. */
  readonly bases: readonly VirtualPath[];
  /** The real path of the user’s scope in the served folder. */
  readonly scope: VirtualPath;
  readonly rules: readonly Rule[];
  readonly globalRules: readonly Rule[];
  readonly hidesDotfiles: boolean;
  /** The case sensitivity of the file systems of the served folder. */
  readonly letterCases: readonly LetterCase[];
}

/** Decides which entries below a folder a user may list. */
export interface Visibility {
  /** Whether nothing below the folder is denied by rules; hidden names are not considered. */
  readonly allowsEverything: boolean;
  readonly hidesDotfiles: boolean;
  /** Whether the rules allow the entry at a path below the folder, such as `a/b.txt`. Folders above it are not considered. */
  allows(below: string): boolean;
  /** Whether the rules may deny something below an allowed entry at this path. */
  mayDenyBelow(below: string): boolean;
}

/** Returns a key that is the same for users who may list the same part of the same folder. */
export const visiblePartKey = ({
  place,
  bases,
  scope,
  rules,
  globalRules,
  hidesDotfiles,
}: VisiblePart): string => JSON.stringify([place, bases, scope, rules, globalRules, hidesDotfiles]);

/** Compiles the rules that decide what a user may list. Throws `invalid_rule` for rules that were never validated. */
export async function compileVisibility(visible: VisiblePart): Promise<Visibility> {
  const own = await compileRules(visible.rules);
  const global = await compileRules(visible.globalRules);
  const allowsEverything = own.isEmpty && global.isEmpty;
  const isCaseIgnored = visible.letterCases.some(({ isIgnored }) => isIgnored);
  const pathOf = (base: VirtualPath, below: string): VirtualPath =>
    joinPaths(base, `/${below}` as VirtualPath);
  const judge = (path: VirtualPath): boolean => {
    const ignoresCase =
      isCaseIgnored && isCaseIgnoredAt(visible.letterCases, segmentsOf(joinPaths(visible.scope, path)));
    return own.judge(path, ignoresCase) ?? global.judge(path, ignoresCase) ?? true;
  };
  const mayDeny = (rules: CompiledRules, path: VirtualPath): boolean => rules.mayDenyBelow(path);
  return {
    allowsEverything,
    hidesDotfiles: visible.hidesDotfiles,
    allows: (below) => allowsEverything || visible.bases.every((base) => judge(pathOf(base, below))),
    mayDenyBelow: (below) =>
      !allowsEverything &&
      visible.bases.some((base) => {
        const path = pathOf(base, below);
        return mayDeny(own, path) || mayDeny(global, path);
      }),
  };
}
