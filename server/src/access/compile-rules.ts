import type { Rule } from '@filestead/contract/rules';
import { type VirtualPath, InvalidPathError, isAtOrBelow, parsePath } from '@filestead/contract/virtual-path';
import { AppError } from '../http/app-error.ts';

/** A list of rules, ready to be asked. */
export interface CompiledRules {
  /** There are none, so that nobody needs to be asked. */
  readonly isEmpty: boolean;
  /**
   * Whether the last rule that matches `path` allows it; null when none matches. Where the disk ignores case, paths of
   * rules match in any letters; patterns match as they are written (existing API §3.3).
   */
  judge(path: VirtualPath, ignoresCase?: boolean): boolean | null;
}

interface CompiledRule {
  readonly allow: boolean;
  readonly matches: (path: VirtualPath, folded: VirtualPath | null) => boolean;
}

const patternOf = (rule: Rule): string => rule.regexp?.raw ?? '';

/**
 * A path without differences of case, nor of Unicode forms, which disks that ignore case do not see either. Unlike names of
 * users it keeps compatible letters apart: a wide slash is none.
 */
const folded = (path: VirtualPath): VirtualPath =>
  path.normalize('NFC').toUpperCase().toLowerCase() as VirtualPath;

/** A rule without path and pattern says nothing. */
const isEmpty = (rule: Rule): boolean =>
  rule.regex ? patternOf(rule).trim() === '' : rule.path.trim() === '';

/**
 * Patterns are matched by a library that needs time linear in the path and refuses the ones it could not;
 * it is loaded when the first pattern is met.
 */
async function compilePattern(pattern: string): Promise<(path: VirtualPath) => boolean> {
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(pattern);
  return (path) => compiled.matcher(path).find();
}

async function compileRule(rule: Rule): Promise<CompiledRule> {
  try {
    if (rule.regex) return { allow: rule.allow, matches: await compilePattern(patternOf(rule)) };
    const folder = parsePath(rule.path).path;
    const foldedFolder = folded(folder);
    return {
      allow: rule.allow,
      matches: (path, foldedPath) =>
        foldedPath === null ? isAtOrBelow(path, folder) : isAtOrBelow(foldedPath, foldedFolder),
    };
  } catch (error) {
    const reason =
      error instanceof InvalidPathError ? error.message : 'the pattern cannot be used in linear time';
    throw new AppError(
      'invalid_rule',
      `${rule.regex ? patternOf(rule) : rule.path}: ${reason}`.slice(0, 512),
      {
        cause: error,
      },
    );
  }
}

/** Compiles rules once, to be asked often. Throws `invalid_rule`. */
export async function compileRules(rules: readonly Rule[]): Promise<CompiledRules> {
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    if (!isEmpty(rule)) compiled.unshift(await compileRule(rule));
  }
  return {
    isEmpty: compiled.length === 0,
    judge(path, ignoresCase = false) {
      const foldedPath = ignoresCase && compiled.length > 0 ? folded(path) : null;
      return compiled.find((rule) => rule.matches(path, foldedPath))?.allow ?? null;
    },
  };
}

const canonicalRule = (rule: Rule): Rule => ({ ...rule, path: parsePath(rule.path).path });

/** The rules as they are stored: empty ones dropped, paths in their canonical form. Throws `invalid_rule`. */
export async function normaliseRules(rules: readonly Rule[]): Promise<Rule[]> {
  await compileRules(rules);
  return rules.filter((rule) => !isEmpty(rule)).map((rule) => (rule.regex ? rule : canonicalRule(rule)));
}
