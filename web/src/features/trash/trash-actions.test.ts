import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { allPermissions, type Permissions } from '@filestead/contract/values/permissions';
import { expect, test } from 'vitest';
import { trashItem } from './test-items.ts';
import {
  trashActionForKey,
  trashActions,
  trashActionsAt,
  type TrashContext,
  type TrashPlace,
} from './trash-actions.ts';

const everything: Permissions = { ...allPermissions, admin: false };

const contextOf = (sample: TrashItem[], change: Partial<TrashContext> = {}): TrashContext => ({
  can: everything,
  count: sample.length,
  sample,
  total: 10,
  below: '',
  ...change,
});
const idsAt = (place: TrashPlace, context: TrashContext) =>
  trashActionsAt(place, context).map(({ id }) => id);

test('offers to restore, preview and delete a file forever', () => {
  expect(idsAt('selection', contextOf([trashItem('a.txt')]))).toEqual([
    'preview',
    'restore',
    'restoreTo',
    'purge',
  ]);
  expect(idsAt('selection', contextOf([trashItem('a'), trashItem('b')]))).toEqual([
    'restore',
    'restoreTo',
    'purge',
  ]);
  expect(idsAt('itemMenu', contextOf([trashItem('folder', { isDir: true })]))).toContain('open');
});

test('offers only what the user may do with every selected item', () => {
  const others = trashItem('b', { canPurge: false });
  expect(idsAt('selection', contextOf([trashItem('a'), others]))).toEqual(['restore', 'restoreTo']);
  const lost = trashItem('c', { canRestore: false, canPurge: false });
  expect(idsAt('selection', contextOf([lost], { can: { ...everything, download: false } }))).toEqual([]);
});

test('offers to empty a trash that is not empty to users who may delete forever', () => {
  expect(idsAt('listMenu', contextOf([]))).toContain('empty');
  expect(idsAt('listMenu', contextOf([], { total: 0 }))).not.toContain('empty');
  expect(idsAt('listMenu', contextOf([], { can: { ...everything, purge: false } }))).not.toContain('empty');
});

test('offers all from the folder of one item, unless the list shows just that', () => {
  const inFolder = trashItem('a', { path: '/Projects/a' });
  expect(idsAt('itemMenu', contextOf([inFolder]))).toContain('sameFolder');
  for (const context of [
    contextOf([inFolder], { below: '/Projects' }),
    contextOf([inFolder, trashItem('b')]),
    contextOf([trashItem('b', { path: '/b' })]),
  ])
    expect(idsAt('itemMenu', context)).not.toContain('sameFolder');
});

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});

test('finds the action of a key, and none that is not available', () => {
  const selected = contextOf([trashItem('a')]);
  expect(trashActionForKey(press('Delete'), selected)?.id).toBe('purge');
  expect(trashActionForKey(press('Delete', { shiftKey: true }), selected)?.id).toBe('purge');
  expect(trashActionForKey(press('a', { ctrlKey: true }), selected)?.id).toBe('selectAll');
  expect(trashActionForKey(press('Delete'), contextOf([]))).toBeNull();
  expect(trashActionForKey(press('Enter'), selected)).toBeNull();
});

test('assigns each key to one action only', () => {
  const keys = trashActions.flatMap((action) => action.keys);
  expect(new Set(keys).size).toBe(keys.length);
});
