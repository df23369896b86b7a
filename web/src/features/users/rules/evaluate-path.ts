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
 * What rules say of a path. `depends`: a pattern could overrule it, and patterns are only matched on the server; or it
 * differs between the file systems of the served tree.
 */
export interface Judgement {
  verdict: 'visible' | 'hidden' | 'depends';
  /** The place of the deciding path rule in the list, from 0; null when none matches. */
  decidedBy: number | null;
}

/** The canonical form of what was typed as a path; null when it is none. */
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

/** A rule as the page can match it. A path that the server would refuse matches nothing. */
function matchable(rule: Rule): MatchableRule {
  if (isEmptyRule(rule)) return { allow: rule.allow, matches: nowhere };
  if (rule.regex) return { allow: rule.allow, matches: unknown };
  return { allow: rule.allow, matches: pathOfText(rule.path) === null ? nowhere : pathMatcher(rule.path) };
}

function judge(rules: readonly MatchableRule[], path: VirtualPath, ignoresCase: boolean): Judgement {
  /** The verdicts of the patterns behind the rule that decides. */
  const later = new Set<boolean>();
  const index = decidingRule(rules, comparePath(path, ignoresCase), ({ allow }) => later.add(allow));
  const allow = rules[index]?.allow ?? true;
  const verdict = later.has(!allow) ? 'depends' : allow ? 'visible' : 'hidden';
  return { verdict, decidedBy: index === -1 ? null : index };
}

/**
 * Judges `path` by the rules that the server uses (docs/reference/filebrowser-api.md §3.3): everything is visible until a rule matches, and the
 * last one that matches decides. `letterCase` is how the server's file systems compare names.
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
