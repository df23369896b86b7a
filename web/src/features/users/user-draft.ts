import type { UserDefaults } from '@filestead/contract/settings';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { Rule } from '@filestead/contract/rules';
import { choicePreferences, switchPreferences } from '@filestead/contract/user-fields';
import type { ManagedUser, User, UserChange } from '@filestead/contract/users';
import { pathOfText } from '../../ui/fields/typed-path.ts';
import { wordsOf } from './commands-field.tsx';
import type { Display } from './display-fields.tsx';

/** The values of the user form. */
export interface UserDraft {
  username: string;
  /** Empty if unchanged. */
  password: string;
  scope: string;
  /** The user sees no files until an administrator switches this off. */
  awaitsScope: boolean;
  /** For new users only: the server determines the scope. */
  hasOwnHome: boolean;
  locale: User['locale'];
  lockPassword: boolean;
  display: Display;
  perm: Permissions;
  /** The commands as typed. */
  commands: string;
  rules: readonly Rule[];
}

const displayNames = ['viewMode', 'sorting', ...choicePreferences, ...switchPreferences] as const;
const displayOf = (source: Display): Display =>
  Object.fromEntries(displayNames.map((name) => [name, source[name]])) as unknown as Display;

/**
 * Returns the form of a new user (docs/reference/behaviour.md §5): the server's defaults, no name, no rules, no locked
 * password.
 */
export const newDraft = (defaults: UserDefaults, hasOwnHome: boolean): UserDraft => ({
  username: '',
  password: '',
  scope: pathOfText(defaults.scope) ?? defaults.scope,
  awaitsScope: false,
  hasOwnHome,
  locale: defaults.locale,
  lockPassword: false,
  display: displayOf(defaults),
  perm: defaults.perm,
  commands: defaults.commands.join(' '),
  rules: [],
});

/** A user as administrators get it. */
export type EditedUser = User & { awaitsScope?: ManagedUser['awaitsScope'] | undefined };

export const draftOf = (user: EditedUser): UserDraft => ({
  username: user.username,
  password: '',
  scope: user.scope,
  awaitsScope: user.awaitsScope ?? false,
  hasOwnHome: false,
  locale: user.locale,
  lockPassword: user.lockPassword,
  display: displayOf(user),
  perm: user.perm,
  commands: user.commands.join(' '),
  rules: user.rules,
});

/**
 * Returns the draft with other permissions. The password of an administrator is never locked
 * (docs/reference/behaviour.md §4).
 */
export const withPermissions = (draft: UserDraft, perm: Permissions): UserDraft => ({
  ...draft,
  perm,
  lockPassword: draft.lockPassword && !perm.admin,
});

export type UserField = 'username' | 'password' | 'scope' | 'rules';
/** The reason why a field is invalid: a key of the texts. */
export type FieldError =
  | 'noUsername'
  | 'badUsername'
  | 'username_taken'
  | 'noPassword'
  | 'tooShort'
  | 'scope';

/** The constraints of a draft that are checked before it is sent. */
export interface DraftChecks {
  isNew: boolean;
  /** The minimum length of a password, in characters. */
  minLength: number;
  /** Whether another user has this name. */
  isTaken: (username: string) => boolean;
}

/** The maximum length of a username on the server, in characters. */
export const maxUsernameLength = 128;

function usernameError(username: string, isTaken: DraftChecks['isTaken']): FieldError | null {
  if (username.trim() === '') return 'noUsername';
  if (
    username !== username.trim() ||
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(username)
  )
    return 'badUsername';
  return isTaken(username) ? 'username_taken' : null;
}

function passwordError(password: string, { isNew, minLength }: DraftChecks): FieldError | null {
  if (password === '') return isNew ? 'noPassword' : null;
  return [...password].length < minLength ? 'tooShort' : null;
}

/** Returns the errors of a draft before it is sent, in the order of the form. */
export function toFieldErrors(
  draft: UserDraft,
  checks: DraftChecks,
): { field: UserField; reason: FieldError }[] {
  const { username, password, scope, hasOwnHome } = draft;
  const errors = [
    { field: 'username', reason: usernameError(username, checks.isTaken) },
    { field: 'password', reason: passwordError(password, checks) },
    { field: 'scope', reason: !hasOwnHome && pathOfText(scope) === null ? 'scope' : null },
  ] as const;
  return errors.flatMap(({ field, reason }) => (reason === null ? [] : [{ field, reason }]));
}

/** Whether the server treats two usernames as the same: letter case and Unicode form are ignored. */
export const isSameName = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

type Fields = Required<
  Pick<
    UserChange,
    | 'username'
    | 'scope'
    | 'awaitsScope'
    | 'locale'
    | 'lockPassword'
    | 'perm'
    | 'commands'
    | 'rules'
    | keyof Display
  >
>;

const fieldsOf = (draft: UserDraft): Fields => ({
  username: draft.username,
  scope: draft.hasOwnHome ? '' : draft.scope,
  awaitsScope: draft.awaitsScope,
  locale: draft.locale as Fields['locale'],
  lockPassword: draft.lockPassword,
  ...draft.display,
  perm: draft.perm,
  commands: wordsOf(draft.commands),
  rules: [...draft.rules],
});

/** Returns a complete new user: fields that are not in the form get their defaults. */
export const newUserOf = (draft: UserDraft, defaults: UserDefaults): UserChange => ({
  aceEditorTheme: defaults.aceEditorTheme,
  ...fieldsOf(draft),
  password: draft.password,
});

/** Returns the fields of a draft that differ from the stored user. */
export function changeOf(draft: UserDraft, stored: EditedUser): UserChange {
  const before = fieldsOf(draftOf(stored));
  const entries = Object.entries(fieldsOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
  );
  return {
    ...(Object.fromEntries(entries) as UserChange),
    ...(draft.password !== '' && { password: draft.password }),
  };
}
