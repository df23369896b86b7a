import { allPermissions, noPermissions, type Permissions } from '@filestead/contract/values/permissions';
import { expect, test } from 'vitest';
import { fileAt, folderAt } from '../transfers/test-entries.ts';
import type { ActionPlace, ActionContext } from './action.ts';
import { menuIcons } from '../../../ui/overlays/menu-icons.ts';
import { actionsAt, fileActions, type FileAction } from './actions.ts';
import { nextViewMode } from './change-view.ts';
import { isShortcut } from '../../../ui/keyboard/keystroke.ts';
import { actionForKey } from './action-keys.ts';

const everything: Permissions = { ...allPermissions, admin: false };
const file = fileAt('/a.txt');

function createContext(change: Partial<ActionContext> = {}): ActionContext {
  return {
    can: everything,
    count: change.sample?.length ?? 0,
    sample: [],
    hasEntries: true,
    clipboard: null,
    viewMode: 'list',
    isSelecting: false,
    areDetailsOpen: false,
    isFolder: true,
    hasViews: true,
    isTop: false,
    hasCommands: false,
    hasSizes: false,
    hasTrash: true,
    isShellOpen: false,
    ...change,
  };
}
const idsAt = (place: ActionPlace, change: Partial<ActionContext>) =>
  actionsAt(place, createContext(change)).map(({ id }) => id);

test('offers the actions for one file, for several and for a folder in the selection bar', () => {
  expect(idsAt('selection', { sample: [file] })).toEqual([
    'download',
    'share',
    'favorite',
    'tags',
    'move',
    'copy',
    'rename',
    'remove',
  ]);
  expect(idsAt('selection', { sample: [file, fileAt('/b')] })).toEqual([
    'download',
    'favorite',
    'tags',
    'move',
    'copy',
    'remove',
  ]);
  expect(idsAt('selection', { sample: [folderAt('/d')] })).toEqual([
    'download',
    'share',
    'favorite',
    'tags',
    'move',
    'copy',
    'rename',
    'remove',
  ]);
  expect(idsAt('selection', {})).toEqual([]);
});

test.each([
  ['rename', ['move', 'rename', 'cutToClipboard']],
  ['create', ['copy', 'duplicate', 'copyToClipboard']],
  ['delete', ['remove']],
  ['download', ['download']],
] as const)('offers, with only the permission %s, the actions %j', (permission, expectedIds) => {
  const withIt = { can: { ...noPermissions, [permission]: true }, sample: [file] };
  expect(new Set(idsAt('entryMenu', withIt))).toEqual(
    new Set([
      'open',
      'versions',
      'favorite',
      'tags',
      'copyPath',
      'copyAddress',
      ...expectedIds,
      'toggleDetails',
    ]),
  );
});

test('offers to delete forever by key only, with a trash and the permission', () => {
  const pressed = press('Delete', { shiftKey: true });
  const keyOf = (change: Partial<ActionContext>) =>
    actionForKey(pressed, createContext({ sample: [file], ...change }), true)?.id;
  const removeForever = fileActions.find(({ id }) => id === 'removeForever');
  expect(keyOf({})).toBe('removeForever');
  expect(keyOf({ hasTrash: false })).toBeUndefined();
  const withoutPurge = { can: { ...everything, purge: false } };
  expect(removeForever?.isOffered(createContext({ sample: [file], ...withoutPurge }))).toBe(false);
  expect(keyOf(withoutPurge)).toBe('removeForever');
  expect(keyOf({ can: { ...everything, purge: false, delete: false } })).toBeUndefined();
  expect(idsAt('entryMenu', { sample: [file] })).not.toContain('removeForever');
});

test('offers a read-only user no action that changes files', () => {
  expect(idsAt('entryMenu', { can: noPermissions, sample: [file] })).toEqual([
    'open',
    'versions',
    'favorite',
    'tags',
    'copyPath',
    'copyAddress',
    'toggleDetails',
  ]);
  expect(idsAt('newMenu', { can: noPermissions })).toEqual([]);
  const copied = { mode: 'copy', entries: [file] } as const;
  expect(idsAt('folderMenu', { can: noPermissions, clipboard: copied })).not.toContain('paste');
});

test('offers to share a single entry with the permissions to share and to download', () => {
  const having = (...granted: (keyof Permissions)[]) => ({
    can: { ...noPermissions, ...Object.fromEntries(granted.map((permission) => [permission, true])) },
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

test('offers to download the selection, or the folder without one', () => {
  const files = Array.from({ length: 5 }, (_, index) => fileAt(`/${index}`));
  expect(idsAt('selection', { sample: files })).toContain('download');
  expect(idsAt('selection', { sample: [], count: 90_000 })).toContain('download');
  expect(idsAt('selection', { sample: [{ ...file, type: 'invalid_link' }] })).not.toContain('download');
  expect(idsAt('folderMenu', {})).toContain('download');
  expect(idsAt('folderMenu', { hasEntries: false })).not.toContain('download');
  expect(idsAt('folderMenu', { can: noPermissions })).not.toContain('download');
});

test('offers to choose the format where an archive is downloaded', () => {
  expect(idsAt('entryMenu', { sample: [file] })).not.toContain('downloadAs');
  expect(idsAt('entryMenu', { sample: [folderAt('/d')] })).toContain('downloadAs');
  expect(idsAt('entryMenu', { sample: [file, fileAt('/b')] })).toContain('downloadAs');
  expect(idsAt('folderMenu', {})).toContain('downloadAs');
  expect(idsAt('folderMenu', { can: noPermissions })).not.toContain('downloadAs');
});

test('previews pictures, but no text files and folders', () => {
  const image = { ...file, type: 'image' } as const;
  expect(idsAt('entryMenu', { sample: [image] })).toContain('preview');
  expect(idsAt('entryMenu', { sample: [file] })).not.toContain('preview');
  expect(idsAt('entryMenu', { sample: [folderAt('/d')] })).not.toContain('preview');
  expect(idsAt('entryMenu', { sample: [image, file] })).not.toContain('preview');
});

test('offers to paste only with the permission that the cut or copied entries require', () => {
  const cut = { mode: 'cut', entries: [file] } as const;
  expect(idsAt('folderMenu', { clipboard: cut, can: { ...noPermissions, create: true } })).not.toContain(
    'paste',
  );
  expect(idsAt('folderMenu', { clipboard: cut, can: { ...noPermissions, rename: true } })).toContain('paste');
});

test('has an icon for each action in menus, and a component for each in the selection bar', () => {
  const shown = fileActions.filter(({ places }) => places.length > 0);
  expect(shown.filter(({ icon }) => icon === undefined)).toEqual([]);
  const inBar = fileActions.filter(({ places }) => places.includes('selection'));
  expect(inBar.length).toBeGreaterThan(0);
  expect(inBar.filter(({ icon }) => typeof icon === 'string')).toEqual([]);
});

test('gives no two actions on the same entries one icon', () => {
  const iconOf = (icon: FileAction['icon']) => (typeof icon === 'string' ? menuIcons[icon] : icon);
  const offered = fileActions.filter(({ places }) => places.includes('entryMenu'));
  const doubled = offered.flatMap(({ icon, id }, index) => {
    const first = offered.findIndex((other) => iconOf(other.icon) === iconOf(icon));
    return first < index ? [[offered[first]?.id, id]] : [];
  });
  // Versions are of files, earlier states of folders.
  expect(doubled).toEqual([['versions', 'rewind']]);
});

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});

test('assigns each key to one action only', () => {
  const keys = fileActions.flatMap((action) => action.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('finds the action of a key with Ctrl or the Command key', () => {
  const selected = createContext({ sample: [file] });
  expect(actionForKey(press('F2'), selected, true)?.id).toBe('rename');
  expect(actionForKey(press('Delete'), selected, true)?.id).toBe('remove');
  expect(actionForKey(press('c', { ctrlKey: true }), selected, true)?.id).toBe('copyToClipboard');
  expect(actionForKey(press('X', { metaKey: true }), selected, true)?.id).toBe('cutToClipboard');
  expect(actionForKey(press('c'), selected, true)).toBeNull();
  expect(actionForKey(press('F2', { altKey: true }), selected, true)).toBeNull();
});

test('offers the shell to users who may execute, if the server runs commands', () => {
  const may = { ...noPermissions, execute: true };
  expect(idsAt('folderMenu', { can: may, hasCommands: true })).toContain('toggleShell');
  expect(idsAt('folderMenu', { can: may })).not.toContain('toggleShell');
  expect(idsAt('folderMenu', { can: noPermissions, hasCommands: true })).not.toContain('toggleShell');
  const deadKey = { ...press('Dead', { ctrlKey: true }), code: 'Backquote' };
  expect(actionForKey(deadKey, createContext({ can: may, hasCommands: true }), true)?.id).toBe('toggleShell');
  const otherWindow = press('`', { metaKey: true });
  expect(actionForKey(otherWindow, createContext({ can: may, hasCommands: true }), true)).toBeNull();
});

test('ignores the key of an unavailable action', () => {
  expect(actionForKey(press('F2'), createContext(), true)).toBeNull();
  expect(
    actionForKey(press('Delete'), createContext({ sample: [file], can: noPermissions }), true),
  ).toBeNull();
});

test('assigns no action to a letter key, because letters jump to names', () => {
  expect(actionForKey(press('i'), createContext(), true)).toBeNull();
  expect(actionForKey(press('i'), createContext(), false)).toBeNull();
  expect(actionForKey(press('i', { ctrlKey: true }), createContext(), true)?.id).toBe('toggleDetails');
});

test('leaves the zoom keys to the browser without tiles', () => {
  const tiles = createContext({ viewMode: 'mosaic' });
  expect(actionForKey(press('+', { ctrlKey: true, shiftKey: true }), tiles, true)?.id).toBe('largerTiles');
  expect(actionForKey(press('=', { ctrlKey: true }), tiles, true)?.id).toBe('largerTiles');
  expect(actionForKey(press('-', { metaKey: true }), tiles, true)?.id).toBe('smallerTiles');
  expect(actionForKey(press('-', { ctrlKey: true }), tiles, false)).toBeNull();
  expect(actionForKey(press('-', { ctrlKey: true }), createContext(), true)).toBeNull();
});

test('offers undo and redo by keyboard at any time', () => {
  expect(actionForKey(press('z', { ctrlKey: true }), createContext(), true)?.id).toBe('undo');
  expect(actionForKey(press('Z', { ctrlKey: true, shiftKey: true }), createContext(), true)?.id).toBe('redo');
});

test('matches a shortcut only with exactly its modifiers', () => {
  expect(isShortcut(press('a', { ctrlKey: true, shiftKey: true }), 'Mod+A')).toBe(false);
  expect(isShortcut(press('A', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+A')).toBe(true);
});

test('offers another view only where the user chooses it', () => {
  expect(idsAt('phoneMenu', {})).toContain('switchView');
  expect(idsAt('phoneMenu', { hasViews: false })).not.toContain('switchView');
});

test('cycles through the views', () => {
  expect(nextViewMode('list')).toBe('mosaic');
  expect(nextViewMode('mosaic')).toBe('mosaic gallery');
  expect(nextViewMode('mosaic gallery')).toBe('list');
});

test('offers the versions of a single file if the server keeps them', () => {
  const folder = { ...file, isFolder: true };
  const isOffered = (given: Partial<ActionContext>): boolean =>
    idsAt('entryMenu', { can: noPermissions, sample: [file], ...given }).includes('versions');
  expect(isOffered({})).toBe(true);
  expect(isOffered({ hasTrash: false })).toBe(false);
  expect(isOffered({ sample: [folder] })).toBe(false);
  expect(isOffered({ sample: [file, file] })).toBe(false);
});

test('offers the rewind of a single folder to users who may modify files', () => {
  const folder = { ...file, isFolder: true };
  const isOffered = (place: 'entryMenu' | 'folderMenu', given: Partial<ActionContext>): boolean =>
    idsAt(place, { sample: [folder], ...given }).includes('rewind');
  expect(isOffered('entryMenu', {})).toBe(true);
  expect(isOffered('folderMenu', { sample: [] })).toBe(true);
  expect(isOffered('folderMenu', { sample: [], isFolder: false })).toBe(false);
  expect(isOffered('entryMenu', { sample: [file] })).toBe(false);
  expect(isOffered('entryMenu', { sample: [folder, folder] })).toBe(false);
  expect(isOffered('entryMenu', { hasTrash: false })).toBe(false);
  expect(isOffered('entryMenu', { can: { ...everything, modify: false } })).toBe(false);
});

test('offers to extract archives that can be read, and to compress anything, with the permissions that both need', () => {
  const can = { ...noPermissions, create: true, download: true };
  const named = (name: string) => ({ ...file, name });
  const offered = (...names: string[]) =>
    idsAt('entryMenu', { can, sample: names.map(named) }).filter((id) =>
      ['extract', 'compress'].includes(id),
    );
  expect(offered('a.zip', 'b.tar.xz', 'c.TGZ', 'd.7z')).toEqual(['extract', 'compress']);
  expect([offered('a.zip', 'b.txt'), offered('a.rar'), offered('.7z')]).toEqual([
    ['compress'],
    ['compress'],
    ['compress'],
  ]);
  expect(idsAt('entryMenu', { can: { ...can, download: false }, sample: [file] })).not.toContain('compress');
});
