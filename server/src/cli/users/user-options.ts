import {
  type PermissionName,
  type Permissions,
  permissionNames,
} from '@filestead/contract/values/permissions';
import {
  type Sorting,
  type UserField,
  ViewMode,
  preferences,
  sortKeys,
  switchPreferences,
  userChangeShape,
  userFieldOption,
} from '@filestead/contract/user-fields';
import { UserChange } from '@filestead/contract/users';
import * as z from 'zod/mini';
import { type CliOption, CliError, type OptionValues } from '../command.ts';

const permissionWords: Readonly<Record<PermissionName, string>> = {
  admin: 'administer the server',
  execute: 'run commands',
  create: 'create and upload files and folders',
  rename: 'rename and move',
  modify: 'change files',
  delete: 'delete',
  share: 'create public links',
  download: 'download and preview files',
  purge: 'delete forever',
};

/** Returns the options of a field; `sorting` has two. */
function optionsOf(field: UserField): CliOption[] {
  if (field === 'sorting') {
    return [
      { name: 'sorting.by', kind: 'text', value: 'key', description: sortKeys.join(', ') },
      {
        name: 'sorting.asc',
        kind: 'switch',
        description: 'sort from smallest to largest; names from Z to A',
      },
    ];
  }
  const option = userFieldOption(field);
  if (option === undefined) return [];
  const { value, description } = option;
  if (value === undefined) return [{ name: field, kind: 'switch', description }];
  return [{ name: field, kind: field === 'commands' ? 'list' : 'text', value, description }];
}

/** Options of a user that also exist as defaults for new users. */
export const profileOptions: readonly CliOption[] = [
  ...permissionNames.map((name): CliOption => ({
    name: `perm.${name}`,
    kind: 'switch',
    description: `may ${permissionWords[name]}`,
  })),
  ...['scope' as const, ...preferences, 'commands' as const].flatMap(optionsOf),
];

/** All options of a user. */
export const userOptions: readonly CliOption[] = [
  ...profileOptions,
  ...(['lockPassword', 'awaitsScope'] as const).flatMap(optionsOf),
];

/** Parses the text of an option by `schema`. Throws {@link CliError} that names the option. */
export function parseOption<T extends z.ZodMiniType>(name: string, schema: T, value: unknown): z.output<T> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw new CliError(`--${name}: ${result.error.issues[0]?.message ?? 'invalid'}`);
}

/** The part of a profile that options change. */
interface Profile {
  readonly perm: Permissions;
  readonly sorting: Sorting;
}

/** Returns the fields that options change. Permissions and sorting are completed from `base`. */
export function profileChange(options: OptionValues, base: Profile): UserChange {
  const change: UserChange = {};
  const perm = { ...base.perm };
  for (const name of permissionNames) {
    const isOn = options.isOn(`perm.${name}`);
    if (isOn === undefined) continue;
    perm[name] = isOn;
    change.perm = perm;
  }
  const sortBy = options.text('sorting.by');
  const isAscending = options.isOn('sorting.asc');
  if (sortBy !== undefined || isAscending !== undefined) {
    const by = sortBy === undefined ? base.sorting.by : parseOption('sorting.by', z.enum(sortKeys), sortBy);
    change.sorting = { by, asc: isAscending ?? base.sorting.asc };
  }
  const scope = options.text('scope');
  if (scope !== undefined) change.scope = scope;
  const commands = options.list('commands');
  if (commands !== undefined) change.commands = commands;
  const switches = [...switchPreferences, 'lockPassword', 'awaitsScope'] as const;
  for (const name of switches) {
    const isOn = options.isOn(name);
    if (isOn !== undefined) change[name] = isOn;
  }
  const texts = preferences.filter((name) => name !== 'sorting' && !switches.some((other) => other === name));
  for (const name of texts) {
    const text = options.text(name);
    // An empty word is a language or theme, but not a view mode.
    if (name === 'viewMode' && text !== undefined) change.viewMode = parseOption(name, ViewMode, text);
    else if (text !== undefined)
      Object.assign(change, { [name]: parseOption(name, userChangeShape[name], text) });
  }
  const result = z.safeParse(UserChange, change);
  if (result.success) return change;
  const [issue] = result.error.issues;
  throw new CliError(`--${issue?.path[0]?.toString() ?? 'option'}: ${issue?.message ?? 'invalid'}`);
}
