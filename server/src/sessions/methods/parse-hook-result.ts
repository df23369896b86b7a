import { type PermissionName, permissionNames } from '@filestead/contract/values/permissions';
import { sortKeys, viewModes } from '@filestead/contract/users';
import { knownLocale } from '@filestead/contract/values/locales';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import type { AccountFields } from '../../access/accounts.ts';

/** The decision of a sign-in program. */
export interface HookResult {
  readonly action: 'auth' | 'block' | 'pass';
  readonly fields: AccountFields;
  /** Whether the output contains fields of the user in addition to the action. */
  readonly hasFields: boolean;
}

/** Returns the element of `choices` equal to `text`. Throws if there is none. */
function oneOf<T extends string>(choices: readonly T[], text: string, key: string): T {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new Error(`the output of the sign-in program contains an unknown ${key}`);
  return choice;
}

function localeOf(text: string): string {
  const locale = knownLocale(text);
  if (locale === null) throw new Error('the output of the sign-in program contains an unknown user.locale');
  return locale;
}

/** Parses `key=value` lines; the last line of a key wins. */
function pairsOf(output: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const line of output.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) pairs.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim());
  }
  return pairs;
}

/**
 * Parses the output of a sign-in program (docs/reference/filebrowser-api.md §4): lines of `key=value`,
 * trimmed. Unknown keys are ignored; booleans are true only for `true`. Throws if the action or a value is
 * invalid.
 */
export function parseHookResult(output: string): HookResult {
  const pairs = pairsOf(output);
  const action = oneOf(['auth', 'block', 'pass'], pairs.get('hook.action') ?? '', 'hook.action');
  const read = <T>(key: string, parse: (text: string) => T): T | undefined => {
    const text = pairs.get(`user.${key}`);
    return text === undefined ? undefined : parse(text);
  };
  const isTrue = (text: string): boolean => text === 'true';
  const perm: Partial<Record<PermissionName, boolean>> = {};
  for (const name of permissionNames) {
    const isAllowed = read(`perm.${name}`, isTrue);
    if (isAllowed !== undefined) perm[name] = isAllowed;
  }
  const by = read('sorting.by', (text) => oneOf(sortKeys, text, 'user.sorting.by'));
  const asc = read('sorting.asc', isTrue);
  const sorting = { ...(by === undefined ? {} : { by }), ...(asc === undefined ? {} : { asc }) };
  const found = {
    scope: read('scope', (text) => parsePath(text).path),
    locale: read('locale', localeOf),
    viewMode: read('viewMode', (text) => oneOf(viewModes, text, 'user.viewMode')),
    singleClick: read('singleClick', isTrue),
    redirectAfterCopyMove: read('redirectAfterCopyMove', isTrue),
    commands: read('commands', (text) => text.split(' ').filter((word) => word !== '')),
    hideDotfiles: read('hideDotfiles', isTrue),
    sorting: Object.keys(sorting).length === 0 ? undefined : sorting,
    perm: Object.keys(perm).length === 0 ? undefined : perm,
  };
  const fields: AccountFields = Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  );
  return { action, fields, hasFields: Object.keys(fields).length > 0 };
}
