import { permissionNames } from '@filestead/contract/values/permissions';
import type { StoredUser } from '../../database/database.ts';
import { tableOf } from '../table.ts';

const flagText = (value: boolean): string => (value ? 'true' : 'false');

/** Columns of the list of users (docs/reference/filebrowser-api.md §5.1). */
const columns: readonly (readonly [string, (user: StoredUser) => string])[] = [
  ['ID', ({ id }) => String(id)],
  ['Username', ({ username }) => username],
  ['Scope', ({ scope }) => scope],
  ['Locale', ({ locale }) => locale],
  ['V. Mode', ({ viewMode }) => viewMode],
  ['S.Click', ({ singleClick }) => flagText(singleClick)],
  ['Red. after C/M', ({ redirectAfterCopyMove }) => flagText(redirectAfterCopyMove)],
  ...permissionNames.map(
    (name) =>
      [
        `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        ({ perm }: StoredUser) => flagText(perm[name]),
      ] as const,
  ),
  ['Pwd Lock', ({ lockPassword }) => flagText(lockPassword)],
];

/** Formats users as a table with a header. */
export function userTable(users: readonly StoredUser[]): string {
  return tableOf([
    columns.map(([head]) => head),
    ...users.map((user) => columns.map(([, cell]) => cell(user))),
  ]);
}
