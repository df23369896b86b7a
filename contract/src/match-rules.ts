import type { Rule } from './rules.ts';
import { type VirtualPath, isAtOrBelow, parsePath } from './paths/virtual-path.ts';

/**
 * The comparison of letter case by the file systems of the served tree: all case-sensitive, all case-insensitive, or
 * depending on the mount point.
 */
export const letterCases = ['sensitive', 'insensitive', 'mixed'] as const;
export type LetterCase = (typeof letterCases)[number];

/** A path in the forms that rules are compared with. */
export interface ComparedPath {
  /** The original path. */
  readonly path: VirtualPath;
  /**
   * The form in which equal names are identical: composed (NFC), and in one letter case on a case-insensitive file
   * system.
   */
  readonly key: VirtualPath;
  readonly ignoresCase: boolean;
}

/** A rule that can be matched. `matches` returns null if the result cannot be determined here. */
export interface MatchableRule {
  readonly allow: boolean;
  readonly matches: (path: ComparedPath) => boolean | null;
}

/** Only characters of this range can change under canonical composition. */
const mayCompose = /[\u0300-\uffff]/;

/** Characters below this range have neither a composed nor a decomposed form, and occur in neither. */
const mayDecompose = /[\u00c0-\uffff]/;

/**
 * Returns `text` composed (NFC). Unlike for usernames, compatibility characters stay distinct: a full-width slash is
 * not a slash.
 */
const composed = (text: string): string => (mayCompose.test(text) ? text.normalize('NFC') : text);

/** Returns the form in which two paths are compared. */
function pathKey(path: VirtualPath, ignoresCase: boolean): VirtualPath {
  const key = composed(path);
  return (ignoresCase ? composed(key.toUpperCase().toLowerCase()) : key) as VirtualPath;
}

/** A path whose key is determined when a rule first needs it: patterns do not. */
class LazilyComparedPath implements ComparedPath {
  readonly path: VirtualPath;
  readonly ignoresCase: boolean;
  #key: VirtualPath | undefined;

  constructor(path: VirtualPath, ignoresCase: boolean) {
    this.path = path;
    this.ignoresCase = ignoresCase;
  }

  get key(): VirtualPath {
    return (this.#key ??= pathKey(this.path, this.ignoresCase));
  }
}

/** Prepares a path for matching. `ignoresCase`: its file system is case-insensitive. */
export const toComparedPath = (path: VirtualPath, ignoresCase: boolean): ComparedPath =>
  new LazilyComparedPath(path, ignoresCase);

/** Returns the path or the pattern of a rule. */
export const textOfRule = (rule: Rule): string => (rule.regex ? (rule.regexp?.raw ?? '') : rule.path);

/** Whether a rule has neither path nor pattern; such a rule matches nothing. */
export const isEmptyRule = (rule: Rule): boolean => textOfRule(rule).trim() === '';

/**
 * Matches the path of a rule and everything below it, in every Unicode normalization form. Throws `InvalidPathError` if
 * the text is not a path.
 */
export function pathMatcher(text: string): (path: ComparedPath) => boolean {
  const { path } = parsePath(text);
  const exact = pathKey(path, false);
  const folded = pathKey(path, true);
  return ({ key, ignoresCase }) => isAtOrBelow(key, ignoresCase ? folded : exact);
}

/**
 * Returns the forms of a path that a pattern is tested against: a pattern that denies applies to every Unicode
 * normalization form of a name, a pattern that allows only to the original one.
 */
export function spellingsOf({ path }: ComparedPath, isAllowing: boolean): readonly string[] {
  if (isAllowing || !mayDecompose.test(path)) return [path];
  // The patterns of a list are tested one after the other with the same path.
  if (spelled.path !== path) spelled = { path, forms: formsOf(path) };
  return spelled.forms;
}

/** The normalization forms of the path that was asked for last. */
let spelled: { readonly path: string; readonly forms: readonly string[] } = { path: '', forms: [''] };

function formsOf(path: string): readonly string[] {
  const decomposed = path.normalize('NFD');
  if (!mayCompose.test(decomposed)) return [path];
  const forms = [path];
  for (const form of [path.normalize('NFC'), decomposed]) if (!forms.includes(form)) forms.push(form);
  return forms;
}

/**
 * Returns the index of the rule that decides about a path: the last one that matches; -1 if none does. `onUnknown` is
 * called with the later rules whose result cannot be determined here (docs/reference/filebrowser-api.md §3.3).
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
