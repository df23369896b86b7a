import type { UserDefaults } from '@filestead/contract/settings';
import type { Permissions } from '@filestead/contract/permissions';
import type { Rule } from '@filestead/contract/rules';
import type { User, UserChange } from '@filestead/contract/users';
import { wordsOf } from './commands-field.tsx';
import { pathOfText } from './rules/judge-path.ts';

/** A user as the form holds it. */
export interface UserDraft {
  username: string;
  /** Empty: unchanged. */
  password: string;
  scope: string;
  /** For new users only: the scope is left to the server. */
  hasOwnHome: boolean;
  locale: User['locale'];
  lockPassword: boolean;
  perm: Permissions;
  /** The commands as they are typed. */
  commands: string;
  rules: readonly Rule[];
}

/** The form of a new user (product specification §5): the server's defaults, no name, no rules, no locked password. */
export const newDraft = (defaults: UserDefaults, hasOwnHome: boolean): UserDraft => ({
  username: '',
  password: '',
  scope: pathOfText(defaults.scope) ?? defaults.scope,
  hasOwnHome,
  locale: defaults.locale,
  lockPassword: false,
  perm: defaults.perm,
  commands: defaults.commands.join(' '),
  rules: [],
});

export const draftOf = (user: User): UserDraft => ({
  username: user.username,
  password: '',
  scope: user.scope,
  hasOwnHome: false,
  locale: user.locale,
  lockPassword: user.lockPassword,
  perm: user.perm,
  commands: user.commands.join(' '),
  rules: user.rules,
});

/** Administrators may change their passwords (product specification §4). */
export const withPermissions = (draft: UserDraft, perm: Permissions): UserDraft => ({
  ...draft,
  perm,
  lockPassword: draft.lockPassword && !perm.admin,
});

export type UserField = 'username' | 'password' | 'scope' | 'rules';
/** Why a field cannot be saved: a key of the texts. */
export type Complaint = 'noUsername' | 'badUsername' | 'noPassword' | 'scope';

/** What is wrong with a draft before the server has seen it; null when nothing is. */
export function complaintOf(
  draft: UserDraft,
  isNew: boolean,
): { field: UserField; reason: Complaint } | null {
  const { username, password, scope, hasOwnHome } = draft;
  if (username.trim() === '') return { field: 'username', reason: 'noUsername' };
  if (username !== username.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(username)) {
    return { field: 'username', reason: 'badUsername' };
  }
  if (isNew && password === '') return { field: 'password', reason: 'noPassword' };
  if (!hasOwnHome && pathOfText(scope) === null) return { field: 'scope', reason: 'scope' };
  return null;
}

type Fields = Required<
  Pick<UserChange, 'username' | 'scope' | 'locale' | 'lockPassword' | 'perm' | 'commands' | 'rules'>
>;

const fieldsOf = (draft: UserDraft): Fields => ({
  username: draft.username,
  scope: draft.hasOwnHome ? '' : draft.scope,
  locale: draft.locale as Fields['locale'],
  lockPassword: draft.lockPassword,
  perm: draft.perm,
  commands: wordsOf(draft.commands),
  rules: [...draft.rules],
});

/** A whole new user: what the form does not ask comes from the defaults. */
export const newUserOf = (draft: UserDraft, defaults: UserDefaults): UserChange => ({
  ...fieldsOf(draft),
  password: draft.password,
  viewMode: defaults.viewMode,
  singleClick: defaults.singleClick,
  redirectAfterCopyMove: defaults.redirectAfterCopyMove,
  sorting: defaults.sorting,
  hideDotfiles: defaults.hideDotfiles,
  dateFormat: defaults.dateFormat,
  aceEditorTheme: defaults.aceEditorTheme,
});

/** What of a draft differs from the stored user. */
export function changeOf(draft: UserDraft, stored: User): UserChange {
  const before = fieldsOf(draftOf(stored));
  const entries = Object.entries(fieldsOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
  );
  return {
    ...(Object.fromEntries(entries) as UserChange),
    ...(draft.password !== '' && { password: draft.password }),
  };
}
