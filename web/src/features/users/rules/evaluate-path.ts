import {
  type LetterCase,
  type MatchableRule,
  comparePath,
  decidingRule,
  isEmptyRule,
  pathMatcher,
} from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import { InvalidPathError, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

export { textOfRule } from '@filestead/contract/match-rules';

/**
 * The result of evaluating rules for a path. `depends`: a pattern, which only the server can match, may override it, or
 * it differs between the file systems of the served tree.
 */
export interface Judgement {
  verdict: 'visible' | 'hidden' | 'depends';
  /** The index of the deciding path rule; null if none matches. */
  decidedBy: number | null;
}

/** Returns the canonical form of a typed path; null if it is invalid. */
export function pathOfText(text: string): VirtualPath | null {
  try {
    return parsePath(text.trim()).path;
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
}

const nowhere = (): boolean => false;
const unknown = (): null => null;

/** Makes a rule matchable in the page. A path that the server would refuse matches nothing. */
function matchable(rule: Rule): MatchableRule {
  if (isEmptyRule(rule)) return { allow: rule.allow, matches: nowhere };
  if (rule.regex) return { allow: rule.allow, matches: unknown };
  return { allow: rule.allow, matches: pathOfText(rule.path) === null ? nowhere : pathMatcher(rule.path) };
}

function judge(rules: readonly MatchableRule[], path: VirtualPath, ignoresCase: boolean): Judgement {
  /** The possible results of the patterns after the deciding rule. */
  const later = new Set<boolean>();
  const index = decidingRule(rules, comparePath(path, ignoresCase), ({ allow }) => later.add(allow));
  const allow = rules[index]?.allow ?? true;
  const verdict = later.has(!allow) ? 'depends' : allow ? 'visible' : 'hidden';
  return { verdict, decidedBy: index === -1 ? null : index };
}

/**
 * Evaluates `path` as the server does (docs/reference/filebrowser-api.md §3.3): everything is visible unless a rule
 * matches, and the last match decides. `letterCase` is how the server's file systems compare names.
 */
export function evaluatePath(
  rules: readonly Rule[],
  path: VirtualPath,
  letterCase: LetterCase = 'sensitive',
): Judgement {
  const list = rules.map(matchable);
  const exact = judge(list, path, letterCase === 'insensitive');
  if (letterCase !== 'mixed') return exact;
  const folded = judge(list, path, true);
  return folded.verdict === exact.verdict ? exact : { ...folded, verdict: 'depends' };
}
