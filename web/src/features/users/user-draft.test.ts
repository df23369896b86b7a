import { noPermissions } from '@filestead/contract/values/permissions';
import { UserDefaults } from '@filestead/contract/settings';
import { initialPreferences } from '@filestead/contract/user-fields';
import type { User } from '@filestead/contract/users';
import { describe, expect, test } from 'vitest';
import { withPermission } from './permission-fields.tsx';
import {
  changeOf,
  toFieldErrors,
  draftOf,
  isSameName,
  newDraft,
  newUserOf,
  withPermissions,
} from './user-draft.ts';

const stored: User = {
  id: 2,
  username: 'maria',
  password: '',
  scope: '/team',
  lockPassword: true,
  perm: { ...noPermissions, download: true },
  commands: ['git'],
  rules: [],
  ...initialPreferences,
  viewMode: 'mosaic',
  singleClick: true,
};
const defaults = UserDefaults.parse({ perm: { create: true }, singleClick: true, commands: ['git', 'hg'] });

describe('an existing user', () => {
  test('sends nothing without a change', () => {
    expect(changeOf(draftOf(stored), stored)).toEqual({});
  });

  test('sends only changed fields; an empty password is not a change', () => {
    const draft = { ...draftOf(stored), commands: ' git   svn ', scope: '/other' };
    expect(changeOf(draft, stored)).toEqual({ commands: ['git', 'svn'], scope: '/other' });
    expect(changeOf({ ...draftOf(stored), password: 'secret' }, stored)).toEqual({ password: 'secret' });
    const display = { ...draftOf(stored).display, sorting: { by: 'size', asc: true } as const };
    expect(changeOf({ ...draftOf(stored), display }, stored)).toEqual({ sorting: { by: 'size', asc: true } });
  });

  test('may change the password as an administrator', () => {
    const admin = withPermissions(draftOf(stored), withPermission(stored.perm, 'admin', true));
    expect(Object.values(admin.perm)).not.toContain(false);
    expect(changeOf(admin, stored)).toMatchObject({ lockPassword: false });
  });
});

describe('a new user', () => {
  test('starts with the defaults, without a name and without rules', () => {
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
      perm: { ...noPermissions, create: true },
    });
  });

  test('leaves the scope to the server if it gets a home folder', () => {
    const draft = newDraft(defaults, true);
    expect(newUserOf(draft, defaults).scope).toBe('');
    expect(newUserOf({ ...draft, hasOwnHome: false }, defaults).scope).toBe('/');
  });
});

const checks = { isNew: true, minLength: 6, isTaken: (name: string) => isSameName(name, 'Zoë') };

test.each([
  [{ username: ' ' }, ['username noUsername']],
  [{ username: ' ana' }, ['username badUsername']],
  [{ username: 'a\u200bna' }, ['username badUsername']],
  [{ username: 'ZOE\u0308' }, ['username username_taken']],
  [{ password: '' }, ['password noPassword']],
  [{ password: 'short' }, ['password tooShort']],
  [{ scope: '/../x' }, ['scope scope']],
  [{ scope: '/../x', hasOwnHome: true }, []],
  [
    { username: '', password: '', scope: '/..' },
    ['username noUsername', 'password noPassword', 'scope scope'],
  ],
  [{}, []],
])('reports the errors of %j: %j', (part, errors) => {
  const draft = { ...newDraft(defaults, false), username: 'ana', password: 'secret', ...part };
  expect(toFieldErrors(draft, checks).map(({ field, reason }) => `${field} ${reason}`)).toEqual(errors);
});

test('requires no new password for an existing user', () => {
  expect(toFieldErrors(draftOf(stored), { ...checks, isNew: false })).toEqual([]);
});

test('switches sharing and downloading together, because shares need both', () => {
  expect(withPermission(noPermissions, 'share', true)).toMatchObject({ share: true, download: true });
  expect(withPermission({ ...noPermissions, share: true, download: true }, 'download', false)).toEqual(
    noPermissions,
  );
  expect(withPermission(noPermissions, 'download', true)).toMatchObject({ share: false });
});
