import type { Permissions } from '@filestead/contract/values/permissions';
import { expect, test } from 'vitest';
import { emptyClipboard } from '../clipboard/clipboard.ts';
import { fileAt, folderAt } from '../transfers/test-entries.ts';
import type { ActionPlace, ActionContext } from './action.ts';
import { actionsAt, fileActions, nextViewMode } from './actions.ts';
import { actionForKey, isShortcut } from './action-keys.ts';

const everything: Permissions = {
  admin: false,
  execute: true,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
};
const nothing: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
};
const file = fileAt('/a.txt');

function situation(change: Partial<ActionContext> = {}): ActionContext {
  return {
    can: everything,
    count: change.sample?.length ?? 0,
    sample: [],
    total: 10,
    clipboard: null,
    viewMode: 'list',
    isSelecting: false,
    areDetailsOpen: false,
    canUndo: false,
    isTop: false,
    hasCommands: false,
    isShellOpen: false,
    ...change,
  };
}
const idsAt = (place: ActionPlace, change: Partial<ActionContext>) =>
  actionsAt(place, situation(change)).map(({ id }) => id);

test('the selection bar offers what applies to one file, to several, to a folder', () => {
  expect(idsAt('selection', { sample: [file] })).toEqual([
    'download',
    'share',
    'move',
    'copy',
    'rename',
    'remove',
  ]);
  expect(idsAt('selection', { sample: [file, fileAt('/b')] })).toEqual([
    'download',
    'move',
    'copy',
    'remove',
  ]);
  expect(idsAt('selection', { sample: [folderAt('/d')] })).toEqual([
    'download',
    'share',
    'move',
    'copy',
    'rename',
    'remove',
  ]);
  expect(idsAt('selection', {})).toEqual([]);
});

test.each([
  ['rename', ['move', 'rename', 'cutToClipboard']],
  ['create', ['copy', 'copyToClipboard']],
  ['delete', ['remove']],
  ['download', ['download']],
] as const)('only the permission %s brings %j', (permission, brought) => {
  const withIt = { can: { ...nothing, [permission]: true }, sample: [file] };
  expect(new Set(idsAt('entryMenu', withIt))).toEqual(
    new Set(['open', 'copyPath', 'copyAddress', ...brought, 'toggleDetails']),
  );
});

test('a read-only user is offered nothing that changes files', () => {
  expect(idsAt('entryMenu', { can: nothing, sample: [file] })).toEqual([
    'open',
    'copyPath',
    'copyAddress',
    'toggleDetails',
  ]);
  expect(idsAt('newMenu', { can: nothing })).toEqual([]);
  const copied = { mode: 'copy', entries: [file] } as const;
  expect(idsAt('folderMenu', { can: nothing, clipboard: copied })).not.toContain('paste');
});

test('a link is made of one entry, with the permissions to share and to download', () => {
  const having = (...granted: (keyof Permissions)[]) => ({
    can: { ...nothing, ...Object.fromEntries(granted.map((permission) => [permission, true])) },
  });
  const allowed = having('share', 'download');
  expect(idsAt('selection', { ...allowed, sample: [file] })).toContain('share');
  expect(idsAt('selection', { ...allowed, sample: [folderAt('/d')] })).toContain('share');
  expect(idsAt('selection', { ...allowed, sample: [file, fileAt('/b')] })).not.toContain('share');
  expect(idsAt('selection', { ...allowed, sample: [{ ...file, type: 'invalid_link' }] })).not.toContain(
    'share',
  );
  expect(idsAt('selection', { ...having('share'), sample: [file] })).not.toContain('share');
  expect(idsAt('selection', { ...having('download'), sample: [file] })).not.toContain('share');
});

test('everything that is selected can be downloaded, and the folder when nothing is', () => {
  const files = Array.from({ length: 5 }, (_, index) => fileAt(`/${index}`));
  expect(idsAt('selection', { sample: files })).toContain('download');
  expect(idsAt('selection', { sample: [], count: 90_000 })).toContain('download');
  expect(idsAt('selection', { sample: [{ ...file, type: 'invalid_link' }] })).not.toContain('download');
  expect(idsAt('folderMenu', {})).toContain('download');
  expect(idsAt('folderMenu', { total: 0 })).not.toContain('download');
  expect(idsAt('folderMenu', { can: nothing })).not.toContain('download');
});

test('pictures are previewed, texts and folders are not', () => {
  const image = { ...file, type: 'image' } as const;
  expect(idsAt('entryMenu', { sample: [image] })).toContain('preview');
  expect(idsAt('entryMenu', { sample: [file] })).not.toContain('preview');
  expect(idsAt('entryMenu', { sample: [folderAt('/d')] })).not.toContain('preview');
  expect(idsAt('entryMenu', { sample: [image, file] })).not.toContain('preview');
});

test('pasting needs the permission of what was cut or copied', () => {
  const cut = { mode: 'cut', entries: [file] } as const;
  expect(idsAt('folderMenu', { clipboard: cut, can: { ...nothing, create: true } })).not.toContain('paste');
  expect(idsAt('folderMenu', { clipboard: cut, can: { ...nothing, rename: true } })).toContain('paste');
  emptyClipboard();
});

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});

test('no two actions share a key', () => {
  const keys = fileActions.flatMap((action) => action.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('keys mean actions, with Ctrl or the Command key alike', () => {
  const selected = situation({ sample: [file] });
  expect(actionForKey(press('F2'), selected, true)?.id).toBe('rename');
  expect(actionForKey(press('Delete'), selected, true)?.id).toBe('remove');
  expect(actionForKey(press('c', { ctrlKey: true }), selected, true)?.id).toBe('copyToClipboard');
  expect(actionForKey(press('X', { metaKey: true }), selected, true)?.id).toBe('cutToClipboard');
  expect(actionForKey(press('c'), selected, true)).toBeNull();
  expect(actionForKey(press('F2', { altKey: true }), selected, true)).toBeNull();
});

test('the shell is for who may execute, where the server runs commands', () => {
  const may = { ...nothing, execute: true };
  expect(idsAt('folderMenu', { can: may, hasCommands: true })).toContain('toggleShell');
  expect(idsAt('folderMenu', { can: may })).not.toContain('toggleShell');
  expect(idsAt('folderMenu', { can: nothing, hasCommands: true })).not.toContain('toggleShell');
  const deadKey = { ...press('Dead', { ctrlKey: true }), code: 'Backquote' };
  expect(actionForKey(deadKey, situation({ can: may, hasCommands: true }), true)?.id).toBe('toggleShell');
  const otherWindow = press('`', { metaKey: true });
  expect(actionForKey(otherWindow, situation({ can: may, hasCommands: true }), true)).toBeNull();
});

test('a key whose action does not apply does nothing', () => {
  expect(actionForKey(press('F2'), situation(), true)).toBeNull();
  expect(actionForKey(press('Delete'), situation({ sample: [file], can: nothing }), true)).toBeNull();
});

test('letters belong to typing a name while the listing has the focus', () => {
  expect(actionForKey(press('i'), situation(), true)).toBeNull();
  expect(actionForKey(press('i'), situation(), false)?.id).toBe('toggleDetails');
  expect(actionForKey(press('i', { ctrlKey: true }), situation(), true)?.id).toBe('toggleDetails');
});

test('the keys of tiles are the browser’s own where no tiles are', () => {
  const tiles = situation({ viewMode: 'mosaic' });
  expect(actionForKey(press('+', { ctrlKey: true, shiftKey: true }), tiles, true)?.id).toBe('largerTiles');
  expect(actionForKey(press('=', { ctrlKey: true }), tiles, true)?.id).toBe('largerTiles');
  expect(actionForKey(press('-', { metaKey: true }), tiles, true)?.id).toBe('smallerTiles');
  expect(actionForKey(press('-', { ctrlKey: true }), tiles, false)).toBeNull();
  expect(actionForKey(press('-', { ctrlKey: true }), situation(), true)).toBeNull();
});

test('the last action is taken back by a key while it can be', () => {
  expect(actionForKey(press('z', { ctrlKey: true }), situation(), true)).toBeNull();
  expect(actionForKey(press('z', { ctrlKey: true }), situation({ canUndo: true }), true)?.id).toBe('undo');
});

test('a shortcut wants exactly its modifiers', () => {
  expect(isShortcut(press('a', { ctrlKey: true, shiftKey: true }), 'Mod+A')).toBe(false);
  expect(isShortcut(press('A', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+A')).toBe(true);
});

test('switching the view goes round', () => {
  expect(nextViewMode('list')).toBe('mosaic');
  expect(nextViewMode('mosaic')).toBe('mosaic gallery');
  expect(nextViewMode('mosaic gallery')).toBe('list');
});
