import { type Rule, Rules } from '@filestead/contract/rules';
import { InvalidPathError, parsePath } from '@filestead/contract/paths/virtual-path';
import * as z from 'zod/mini';
import { compileRules } from '../../access/rules/compile-rules.ts';
import { maxRules } from '@filestead/contract/values/limits';
import type { Reporter } from './report.ts';

const nameOf = (rule: Rule): string => (rule.regex ? (rule.regexp?.raw ?? '') : rule.path);

/** Converts one rule for storing; null, with a report, if that is impossible. */
async function importRule(rule: Rule, owner: string, reporter: Reporter): Promise<Rule | null> {
  const name = `${owner}${rule.allow ? 'allow' : 'deny'} ${nameOf(rule)}`;
  if (!rule.regex && rule.path !== '' && !rule.path.startsWith('/')) {
    // A path without a leading slash never matched in File Browser.
    if (rule.allow) {
      reporter.skipped('rule', name, 'it never matched, because its path does not start with a slash');
      return null;
    }
    reporter.changed('rule', name, 'it now matches: a slash was put before its path');
  }
  try {
    if ((await compileRules([rule])).isEmpty) return null;
    return rule.regex ? rule : { ...rule, path: parsePath(rule.path).path };
  } catch (error) {
    const reason = error instanceof InvalidPathError ? error.message : 'the pattern cannot be used here';
    const warning = rule.allow ? '' : '; what it denied is no longer denied';
    reporter.skipped('rule', name, `${reason}${warning}`);
    return null;
  }
}

/** Imports the rules of a record. `owner` is prepended to their names in the report. */
export async function importRules(given: unknown, owner: string, reporter: Reporter): Promise<Rule[]> {
  const parsed = z.safeParse(z.array(z.unknown()), given ?? []);
  if (!parsed.success) {
    reporter.skipped('rule', `${owner}all`, 'they are not a list');
    return [];
  }
  const rules: Rule[] = [];
  for (const [index, entry] of parsed.data.entries()) {
    const rule = z.safeParse(Rules, [entry]);
    const [found] = rule.success ? rule.data : [];
    if (found === undefined) {
      reporter.skipped(
        'rule',
        `${owner}number ${index}`,
        'it is not a rule; what it may have denied is no longer denied',
      );
      continue;
    }
    const imported = await importRule(found, owner, reporter);
    if (imported !== null) rules.push(imported);
  }
  if (rules.length <= maxRules) return rules;
  reporter.skipped('rule', `${owner}after number ${maxRules}`, 'there are too many');
  return rules.slice(-maxRules);
}
