import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StoredUser } from '../database/database.ts';
import { listUserSizes } from './list-user-sizes.ts';

const user = (id: number, scope: string, awaitsScope = false) => ({ id, scope, awaitsScope }) as StoredUser;

/** A catalogue that knows the sizes of some folders, with the folders that were requested. */
function catalogueOf(sizes: Readonly<Record<string, number | null>>, isOn = true) {
  const requested: VirtualPath[] = [];
  const catalogue: Pick<Catalogue, 'isOn' | 'totals' | 'letterCases'> = {
    isOn,
    letterCases: [],
    totals: async ({ place, rules, globalRules, hidesDotfiles }) => {
      expect({ rules, globalRules, hidesDotfiles }).toEqual({
        rules: [],
        globalRules: [],
        hidesDotfiles: false,
      });
      requested.push(place);
      const bytes = sizes[place];
      const totals = bytes == null ? null : { bytes, blocks: 1, files: 1, folders: 0 };
      return {
        kind: 'totals',
        id: 1,
        self: bytes === undefined ? null : { name: '', totals, checkedAt: 1_700_000_000 },
        rows: [],
        coverage: 'all',
        checkedAt: null,
      };
    },
  };
  return { catalogue, requested };
}

test('returns the size of each scope, and measures a shared one once', async () => {
  const { catalogue, requested } = catalogueOf({ '/': 500, '/team': 70 });
  const users = [user(1, '/'), user(2, '/team'), user(3, '/team/')];
  const checkedAt = '2023-11-14T22:13:20.000Z';
  expect(await listUserSizes(users, catalogue)).toEqual([
    { id: 1, bytes: 500, checkedAt },
    { id: 2, bytes: 70, checkedAt },
    { id: 3, bytes: 70, checkedAt },
  ]);
  expect(requested).toEqual(['/', '/team']);
});

test('returns null for unknown scopes and for users who see no files', async () => {
  const { catalogue } = catalogueOf({ '/': null, '/team': 70 });
  const sizes = await listUserSizes([user(1, '/'), user(2, '/gone'), user(3, '/team', true)], catalogue);
  expect(sizes.map(({ bytes }) => bytes)).toEqual([null, null, null]);
});

test('refuses while the catalogue is off', async () => {
  const { catalogue } = catalogueOf({ '/': 1 }, false);
  await expect(listUserSizes([user(1, '/')], catalogue)).rejects.toMatchObject({ code: 'catalogue_off' });
});
