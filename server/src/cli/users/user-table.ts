import { permissionNames } from '@filestead/contract/values/permissions';
import type { StoredUser } from '../../database/database.ts';

const yesNo = (value: boolean): string => (value ? 'true' : 'false');

/** Columns of the list of users (docs/reference/filebrowser-api.md §5.1). */
const columns: readonly (readonly [string, (user: StoredUser) => string])[] = [
  ['ID', ({ id }) => String(id)],
  ['Username', ({ username }) => username],
  ['Scope', ({ scope }) => scope],
  ['Locale', ({ locale }) => locale],
  ['V. Mode', ({ viewMode }) => viewMode],
  ['S.Click', ({ singleClick }) => yesNo(singleClick)],
  ['Red. after C/M', ({ redirectAfterCopyMove }) => yesNo(redirectAfterCopyMove)],
  ...permissionNames.map(
    (name) =>
      [
        `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        ({ perm }: StoredUser) => yesNo(perm[name]),
      ] as const,
  ),
  ['Pwd Lock', ({ lockPassword }) => yesNo(lockPassword)],
];

/** Formats users as a table with a header; columns are two spaces apart. */
export function userTable(users: readonly StoredUser[]): string {
  const rows = [columns.map(([head]) => head), ...users.map((user) => columns.map(([, cell]) => cell(user)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
