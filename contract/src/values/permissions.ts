import * as z from 'zod/mini';

/**
 * The permissions: the eight of the token's `user` claim in their order (docs/reference/filebrowser-api.md §1.2), then
 * `purge`, which older clients do not know.
 */
export const permissionNames = [
  'admin',
  'execute',
  'create',
  'rename',
  'modify',
  'delete',
  'share',
  'download',
  'purge',
] as const;
export type PermissionName = (typeof permissionNames)[number];

const permission = z._default(z.boolean(), false);
const knownPermissions = {
  admin: permission,
  execute: permission,
  create: permission,
  rename: permission,
  modify: permission,
  delete: permission,
  share: permission,
  download: permission,
};
export const Permissions = z.object({
  ...knownPermissions,
  /** Deletes forever, from the trash or directly. */
  purge: permission,
});
export type Permissions = z.output<typeof Permissions>;

const permissionsWith = (isGranted: boolean): Permissions =>
  Object.fromEntries(permissionNames.map((name) => [name, isGranted])) as Permissions;
/** Reading only. */
export const noPermissions: Readonly<Permissions> = permissionsWith(false);
export const allPermissions: Readonly<Permissions> = permissionsWith(true);

/** Permissions as sent by clients. Older clients omit `purge`, which then keeps its value. */
export const PermissionsChange = z.object({ ...knownPermissions, purge: z.optional(z.boolean()) });
export type PermissionsChange = z.output<typeof PermissionsChange>;
