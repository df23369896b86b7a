import type { Rule } from '@filestead/contract/rules';
import { InvalidPathError, isAtOrBelow, parsePath, type VirtualPath } from '@filestead/contract/virtual-path';

/** What rules say of a path. `depends`: a pattern could overrule it, and patterns are only matched on the server. */
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

/** The path or the pattern of a rule, as it is typed. */
export const textOfRule = (rule: Rule): string => (rule.regex ? (rule.regexp?.raw ?? '') : rule.path);

/** A rule without path and pattern says nothing. */
const isEmpty = (rule: Rule): boolean => textOfRule(rule).trim() === '';

function matches(rule: Rule, path: VirtualPath): boolean {
  const folder = pathOfText(rule.path);
  return folder !== null && isAtOrBelow(path, folder);
}

/**
 * Judges `path` as the server does (existing API §3.3): everything is visible until a rule matches, and the last one that
 * matches decides. A path rule matches the path itself and what is below it.
 */
export function judgePath(rules: readonly Rule[], path: VirtualPath): Judgement {
  /** The verdicts of the patterns behind the rule that is looked at. */
  const later = new Set<boolean>();
  for (const [index, rule] of [...rules.entries()].reverse()) {
    if (isEmpty(rule)) continue;
    if (rule.regex) later.add(rule.allow);
    else if (matches(rule, path)) {
      if (later.has(!rule.allow)) return { verdict: 'depends', decidedBy: index };
      return { verdict: rule.allow ? 'visible' : 'hidden', decidedBy: index };
    }
  }
  return { verdict: later.has(false) ? 'depends' : 'visible', decidedBy: null };
}
