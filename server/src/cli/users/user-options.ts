import {
  type PermissionName,
  type Permissions,
  permissionNames,
} from '@filestead/contract/values/permissions';
import { Locale, type Sorting, UserChange, ViewMode, sortKeys, viewModes } from '@filestead/contract/users';
import * as z from 'zod/mini';
import { type CliOption, CliError, type OptionValues } from '../command.ts';

const permissionWords: Readonly<Record<PermissionName, string>> = {
  admin: 'administrate',
  execute: 'run commands',
  create: 'create and upload',
  rename: 'rename and move',
  modify: 'change files',
  delete: 'delete',
  share: 'make public links',
  download: 'download and preview',
};

/** Options of a user that also exist as defaults for new users. */
export const profileOptions: readonly CliOption[] = [
  ...permissionNames.map((name): CliOption => ({
    name: `perm.${name}`,
    kind: 'switch',
    description: `may ${permissionWords[name]}`,
  })),
  { name: 'scope', kind: 'text', value: 'folder', description: 'folder below the served one' },
  {
    name: 'locale',
    kind: 'text',
    value: 'code',
    description: 'language, such as en or pt-br; empty: the browser’s',
  },
  { name: 'viewMode', kind: 'text', value: 'mode', description: viewModes.join(', ') },
  { name: 'singleClick', kind: 'switch', description: 'open with a single click' },
  {
    name: 'redirectAfterCopyMove',
    kind: 'switch',
    description: 'go to the folder that was copied or moved to',
  },
  { name: 'sorting.by', kind: 'text', value: 'key', description: sortKeys.join(', ') },
  { name: 'sorting.asc', kind: 'switch', description: 'largest last; for names: Z to A' },
  {
    name: 'commands',
    kind: 'list',
    value: 'names',
    description: 'commands that may be run, separated by commas',
  },
  { name: 'hideDotfiles', kind: 'switch', description: 'hide names that start with a dot' },
  { name: 'dateFormat', kind: 'switch', description: 'show exact dates' },
  { name: 'aceEditorTheme', kind: 'text', value: 'name', description: 'colours of the editor' },
];

/** All options of a user. */
export const userOptions: readonly CliOption[] = [
  ...profileOptions,
  { name: 'lockPassword', kind: 'switch', description: 'the user cannot change the password' },
  { name: 'awaitsScope', kind: 'switch', description: 'the user sees no files until this is switched off' },
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

/** The fields that were given, with `base` for the rest of what is given in parts. */
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
  const locale = options.text('locale');
  if (locale !== undefined) change.locale = parseOption('locale', Locale, locale);
  const viewMode = options.text('viewMode');
  if (viewMode !== undefined) change.viewMode = parseOption('viewMode', ViewMode, viewMode);
  const theme = options.text('aceEditorTheme');
  if (theme !== undefined) change.aceEditorTheme = theme;
  const commands = options.list('commands');
  if (commands !== undefined) change.commands = commands;
  for (const name of [
    'singleClick',
    'redirectAfterCopyMove',
    'hideDotfiles',
    'dateFormat',
    'lockPassword',
    'awaitsScope',
  ] as const) {
    const isOn = options.isOn(name);
    if (isOn !== undefined) change[name] = isOn;
  }
  const result = z.safeParse(UserChange, change);
  if (result.success) return change;
  const [issue] = result.error.issues;
  throw new CliError(`--${issue?.path[0]?.toString() ?? 'option'}: ${issue?.message ?? 'invalid'}`);
}
