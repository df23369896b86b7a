import { Permissions } from '@filestead/contract/values/permissions';
import { expect, test } from 'vitest';
import { roleOf } from './role-of.ts';

test.each([
  [{ admin: true }, 'admin'],
  [{ create: true, delete: true, download: true, modify: true, rename: true, share: true }, 'all'],
  [{ create: true, delete: true, download: true, modify: true, rename: true }, 'allButSharing'],
  [{ create: true, download: true }, 'viewAndUpload'],
  [{ download: true, execute: true }, 'view'],
  [{ create: true }, 'upload'],
  [{ download: true, share: true }, 'some'],
  [{}, 'none'],
])('summarizes the permissions %j as %s', (granted, role) => {
  expect(roleOf(Permissions.parse(granted))).toBe(role);
});
