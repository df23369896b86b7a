import type { ManagedUser } from '@filestead/contract/users';

type Permissions = ManagedUser['perm'];

/** A summary of the permissions of a user; its text is `users:list.roles.NAME`. */
export type Role = 'admin' | 'all' | 'allButSharing' | 'viewAndUpload' | 'view' | 'upload' | 'some' | 'none';

/** The permissions that change or read files; executing commands is an addition to any role. */
const named = ['create', 'delete', 'download', 'modify', 'rename', 'share'] as const;

const roles: readonly (readonly [Role, readonly (typeof named)[number][]])[] = [
  ['all', ['create', 'delete', 'download', 'modify', 'rename', 'share']],
  ['allButSharing', ['create', 'delete', 'download', 'modify', 'rename']],
  ['viewAndUpload', ['create', 'download']],
  ['view', ['download']],
  ['upload', ['create']],
  ['none', []],
];

/** Returns the summary that fits permissions exactly, or `some`. */
export function roleOf(perm: Permissions): Role {
  if (perm.admin) return 'admin';
  const granted = named.filter((name) => perm[name]);
  const match = roles.find(
    ([, names]) => names.length === granted.length && names.every((name) => granted.includes(name)),
  );
  return match?.[0] ?? 'some';
}
