import type { Permissions } from '@filestead/contract/values/permissions';

/** Default permissions of a new user: reading only. */
export const noPermissions: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
  purge: false,
};
