import * as z from 'zod/mini';

/** The eight permissions, in the order of the token's `user` claim (docs/reference/filebrowser-api.md §1.2). */
export const permissionNames = [
  'admin',
  'execute',
  'create',
  'rename',
  'modify',
  'delete',
  'share',
  'download',
] as const;
export type PermissionName = (typeof permissionNames)[number];

const permission = z._default(z.boolean(), false);
export const Permissions = z.object({
  admin: permission,
  execute: permission,
  create: permission,
  rename: permission,
  modify: permission,
  delete: permission,
  share: permission,
  download: permission,
});
export type Permissions = z.output<typeof Permissions>;
