import type { Rule } from './rules.ts';
import { type VirtualPath, isAtOrBelow, parsePath } from './paths/virtual-path.ts';

/** How the file systems of the served tree compare letters: all alike, or differently by mount point. */
export const letterCases = ['sensitive', 'insensitive', 'mixed'] as const;
export type LetterCase = (typeof letterCases)[number];

/** A path in the forms that rules are matched against. */
export interface ComparedPath {
  /** The path as it was given. */
  readonly path: VirtualPath;
  /** The form in which names are the same: composed (NFC), and without letter case where the file system ignores it. */
  readonly key: VirtualPath;
  readonly ignoresCase: boolean;
}

/** A rule that can be matched. `matches` answers null when that is not known here. */
export interface MatchableRule {
  readonly allow: boolean;
  readonly matches: (path: ComparedPath) => boolean | null;
}

/** Only characters from here on have more than one Unicode form, as far as composing is concerned. */
const mayCompose = /[\u0300-\uffff]/;

/** `text` composed (NFC). Unlike user names it keeps compatible characters apart: a full-width slash is not a slash. */
const composed = (text: string): string => (mayCompose.test(text) ? text.normalize('NFC') : text);

/** The form in which two paths are compared. */
function pathKey(path: VirtualPath, ignoresCase: boolean): VirtualPath {
  const key = composed(path);
  return (ignoresCase ? composed(key.toUpperCase().toLowerCase()) : key) as VirtualPath;
}

/** Prepares a path for matching. `ignoresCase`: the file system there treats names that differ in case as one. */
export const comparePath = (path: VirtualPath, ignoresCase: boolean): ComparedPath => ({
  path,
  key: pathKey(path, ignoresCase),
  ignoresCase,
});

/** The path or the pattern of a rule. */
export const textOfRule = (rule: Rule): string => (rule.regex ? (rule.regexp?.raw ?? '') : rule.path);

/** Whether a rule has neither path nor pattern; such a rule matches nothing. */
export const isEmptyRule = (rule: Rule): boolean => textOfRule(rule).trim() === '';

/**
 * Matches the path of a rule and everything below it, in every Unicode spelling of the same names. Throws
 * `InvalidPathError` when the text is not a path.
 */
export function pathMatcher(text: string): (path: ComparedPath) => boolean {
  const { path } = parsePath(text);
  const exact = pathKey(path, false);
  const folded = pathKey(path, true);
  return ({ key, ignoresCase }) => isAtOrBelow(key, ignoresCase ? folded : exact);
}

/**
 * The spellings of a path that a pattern is tried on: a pattern that denies binds every Unicode form of a name, a pattern
 * that allows only the one that it was written for.
 */
export function spellingsOf({ path }: ComparedPath, isAllowing: boolean): readonly string[] {
  if (isAllowing || !mayCompose.test(path.normalize('NFD'))) return [path];
  return [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])];
}

/**
 * The position of the rule that decides about a path: the last one that matches; -1 when none does. `onUnknown` is told
 * of the rules behind it whose match is not known here (docs/reference/filebrowser-api.md §3.3).
 */
export function decidingRule<T extends MatchableRule>(
  rules: readonly T[],
  path: ComparedPath,
  onUnknown?: (rule: T) => void,
): number {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index] as T;
    const isMatch = rule.matches(path);
    if (isMatch === null) onUnknown?.(rule);
    else if (isMatch) return index;
  }
  return -1;
}
