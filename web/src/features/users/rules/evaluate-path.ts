import {
  type LetterCase,
  type MatchableRule,
  toComparedPath,
  decidingRule,
  isEmptyRule,
  pathMatcher,
} from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pathOfText } from '../../../ui/fields/typed-path.ts';

export { textOfRule } from '@filestead/contract/match-rules';

/**
 * The result of evaluating rules for a path. `depends`: a pattern, which only the server can match, may override it, or
 * it differs between the file systems of the served tree.
 */
export interface RuleEvaluation {
  outcome: 'visible' | 'hidden' | 'depends';
  /** The index of the deciding path rule; null if none matches. */
  decidedBy: number | null;
}

const matchesNothing = (): boolean => false;
const unknownMatch = (): null => null;

/** Makes a rule matchable in the page. A path that the server would refuse matches nothing. */
function matchable(rule: Rule): MatchableRule {
  if (isEmptyRule(rule)) return { allow: rule.allow, matches: matchesNothing };
  if (rule.regex) return { allow: rule.allow, matches: unknownMatch };
  return {
    allow: rule.allow,
    matches: pathOfText(rule.path) === null ? matchesNothing : pathMatcher(rule.path),
  };
}

function evaluateRules(
  rules: readonly MatchableRule[],
  path: VirtualPath,
  ignoresCase: boolean,
): RuleEvaluation {
  /** The possible results of the patterns after the deciding rule. */
  const laterResults = new Set<boolean>();
  const index = decidingRule(rules, toComparedPath(path, ignoresCase), ({ allow }) =>
    laterResults.add(allow),
  );
  const allow = rules[index]?.allow ?? true;
  const outcome = laterResults.has(!allow) ? 'depends' : allow ? 'visible' : 'hidden';
  return { outcome, decidedBy: index === -1 ? null : index };
}

/**
 * Evaluates `path` as the server does (docs/reference/filebrowser-api.md §3.3): everything is visible unless a rule
 * matches, and the last match decides. `letterCase` is the comparison of names by the server's file systems.
 */
export function evaluatePath(
  rules: readonly Rule[],
  path: VirtualPath,
  letterCase: LetterCase = 'sensitive',
): RuleEvaluation {
  const list = rules.map(matchable);
  const exact = evaluateRules(list, path, letterCase === 'insensitive');
  if (letterCase !== 'mixed') return exact;
  const folded = evaluateRules(list, path, true);
  return folded.outcome === exact.outcome ? exact : { ...folded, outcome: 'depends' };
}
