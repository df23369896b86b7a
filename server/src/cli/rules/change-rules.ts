import type { Rule } from '@filestead/contract/rules';
import { compileRules } from '../../access/rules/compile-rules.ts';
import type { StoredUser } from '../../database/database.ts';
import { updateSettings } from '../../settings/update-settings.ts';
import { changeUser } from '../../users/update-user.ts';
import { type CommandCall, type OptionValues, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { type OpenData, assertDatabase, withChanges } from '../open-data.ts';
import { findUser } from '../users/find-user.ts';

/** Returns the user whose rules are selected; null for the global rules. */
async function ownerOf(options: OptionValues, { database }: OpenData): Promise<StoredUser | null> {
  const username = options.text('username');
  const id = options.text('id');
  if (username !== undefined && id !== undefined)
    throw new CliError('--username and --id cannot be combined');
  if (id !== undefined && !/^\d+$/.test(id)) throw new CliError('--id: expected a number');
  if (id !== undefined) return findUser(database.users, id);
  if (username === undefined) return null;
  const user = await database.users.findByName(username);
  if (user === null) throw new CliError(`there is no user “${username}”`);
  return user;
}

async function storeRules(data: OpenData, owner: StoredUser | null, rules: Rule[]): Promise<void> {
  const { database, settings } = data;
  if (owner === null) {
    await updateSettings(settings, { ...settings.current, rules });
    return;
  }
  await changeUser(
    {
      users: database.users,
      settings,
      userContexts: { forget: () => undefined },
      endSessions: () => Promise.resolve(),
    },
    owner.id,
    { which: ['rules'], data: { id: owner.id, rules } },
  );
}

const describeRule = (rule: Rule, index: number): string =>
  [
    String(index).padStart(3),
    rule.allow ? 'allow' : 'deny ',
    rule.regex ? 'regex' : 'path ',
    rule.regex ? (rule.regexp?.raw ?? '') : rule.path,
  ].join('  ');

const describeRules = (rules: readonly Rule[]): string =>
  rules.length === 0 ? 'There are no rules.' : rules.map(describeRule).join('\n');

/** Applies `change` to the selected rules and prints them afterwards. */
async function withRules(
  call: CommandCall,
  change: (rules: readonly Rule[]) => Promise<Rule[] | null>,
): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  const text = await withChanges(config, async (data) => {
    const owner = await ownerOf(call.options, data);
    const rules = owner?.rules ?? data.settings.current.rules;
    const changed = await change(rules);
    if (changed === null) return describeRules(rules);
    await storeRules(data, owner, changed);
    const stored =
      owner === null ? data.settings.current : await findUser(data.database.users, String(owner.id));
    return describeRules(stored.rules);
  });
  call.terminal.print(text);
}

/** `rules add`: adds a rule, by default one that denies a path to all users. Throws `invalid_rule`. */
export function addRule(call: CommandCall): Promise<void> {
  const { words, options } = call;
  const [expression = ''] = words;
  return withRules(call, async (rules) => {
    const regex = options.isOn('regex') ?? false;
    const rule: Rule = {
      regex,
      allow: options.isOn('allow') ?? false,
      path: regex ? '' : expression,
      regexp: regex ? { raw: expression } : null,
    };
    if ((await compileRules([rule])).isEmpty) throw new CliError('the rule is empty');
    return [...rules, rule];
  });
}

/** `rules ls`: lists the rules in the order of evaluation, with their numbers. */
export const listRules = (call: CommandCall): Promise<void> => withRules(call, () => Promise.resolve(null));

/** Parses `<index> [end]` of a list, both inclusive. Throws {@link CliError}. */
export function rangeOf(
  [first = '', last = first]: readonly string[],
  length: number,
): { from: number; to: number } {
  const [from, to] = [first, last].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN));
  if (from === undefined || to === undefined || !(from <= to) || !(to < length)) {
    throw new CliError(`expected an index from 0 to ${length - 1}, or two in their order`);
  }
  return { from, to };
}

/** `rules rm`: removes one rule, or several consecutive ones. */
export function removeRules(call: CommandCall): Promise<void> {
  return withRules(call, (rules) => {
    if (rules.length === 0) return Promise.reject(new CliError('there are no rules'));
    const { from, to } = rangeOf(call.words, rules.length);
    return Promise.resolve(rules.filter((_, index) => index < from || index > to));
  });
}
