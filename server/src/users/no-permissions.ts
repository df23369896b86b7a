import type { Permissions } from '@filestead/contract/values/permissions';

/** What a new user may do unless told otherwise: look. */
export const noPermissions: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
};
