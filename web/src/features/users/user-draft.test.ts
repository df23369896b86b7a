import type { Permissions } from '@filestead/contract/permissions';
import { UserDefaults } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { describe, expect, test } from 'vitest';
import { withPermission } from './permission-fields.tsx';
import { changeOf, complaintOf, draftOf, newDraft, newUserOf, withPermissions } from './user-draft.ts';

const none: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
};
const stored: User = {
  id: 2,
  username: 'maria',
  password: '',
  scope: '/team',
  locale: '',
  lockPassword: true,
  viewMode: 'mosaic',
  singleClick: true,
  redirectAfterCopyMove: false,
  perm: { ...none, download: true },
  commands: ['git'],
  sorting: { by: 'name', asc: false },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
};
const defaults = UserDefaults.parse({ perm: { create: true }, singleClick: true, commands: ['git', 'hg'] });

describe('a stored user', () => {
  test('without a change nothing is sent', () => {
    expect(changeOf(draftOf(stored), stored)).toEqual({});
  });

  test('only what differs is sent; an empty password is no change', () => {
    const draft = { ...draftOf(stored), commands: ' git   svn ', scope: '/other' };
    expect(changeOf(draft, stored)).toEqual({ commands: ['git', 'svn'], scope: '/other' });
    expect(changeOf({ ...draftOf(stored), password: 'secret' }, stored)).toEqual({ password: 'secret' });
  });

  test('an administrator may change the password', () => {
    const admin = withPermissions(draftOf(stored), withPermission(stored.perm, 'admin', true));
    expect(Object.values(admin.perm)).not.toContain(false);
    expect(changeOf(admin, stored)).toMatchObject({ lockPassword: false });
  });
});

describe('a new user', () => {
  test('starts from the defaults, without a name and without rules', () => {
    const draft = newDraft(defaults, false);
    expect(draft).toMatchObject({
      username: '',
      rules: [],
      lockPassword: false,
      scope: '/',
      commands: 'git hg',
    });
    expect(newUserOf({ ...draft, username: 'ana', password: 'x' }, defaults)).toMatchObject({
      username: 'ana',
      password: 'x',
      singleClick: true,
      perm: { ...none, create: true },
    });
  });

  test('leaves the scope to the server when it gets a home folder', () => {
    const draft = newDraft(defaults, true);
    expect(newUserOf(draft, defaults).scope).toBe('');
    expect(newUserOf({ ...draft, hasOwnHome: false }, defaults).scope).toBe('/');
  });
});

test.each([
  [{ username: ' ' }, 'username'],
  [{ username: ' ana' }, 'username'],
  [{ username: 'a\u200bna' }, 'username'],
  [{ password: '' }, 'password'],
  [{ scope: '/../x' }, 'scope'],
  [{ scope: '/../x', hasOwnHome: true }, undefined],
  [{}, undefined],
])('%j is complained of at %s', (part, field) => {
  const draft = { ...newDraft(defaults, false), username: 'ana', password: 'secret', ...part };
  expect(complaintOf(draft, true)?.field).toBe(field);
});

test('links need downloads, so the two go together', () => {
  expect(withPermission(none, 'share', true)).toMatchObject({ share: true, download: true });
  expect(withPermission({ ...none, share: true, download: true }, 'download', false)).toEqual(none);
  expect(withPermission(none, 'download', true)).toMatchObject({ share: false });
});
