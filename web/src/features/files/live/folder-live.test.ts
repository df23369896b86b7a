import type { FolderChanges } from '@filestead/contract/endpoints/live';
import type { ListingRow } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveFolderListener } from '../../../api/live/live-client.ts';
import { ListingModel, rowBits } from '../listing/model/listing-model.ts';
import { FolderLive, type OwnUploads } from './folder-live.ts';

let listener: LiveFolderListener;
const followChanges = (_path: string, _version: string, given: LiveFolderListener) => {
  listener = given;
  return () => undefined;
};

const file = (name: string, size = 1, modifiedMs = 1): ListingRow => [name, size, modifiedMs, 1];
let model: ListingModel;
let live: FolderLive;
let reloads: number;
let timesMissing: number;
let isLoading: boolean;
let ownUploads: OwnUploads | null;
beforeEach(() => {
  vi.useFakeTimers();
  model = new ListingModel();
  model.open({
    path: '/docs/',
    name: 'docs',
    modified: '2026-01-01T00:00:00Z',
    numDirs: 0,
    numFiles: 3,
    sorting: { by: 'name', asc: false },
    types: ['', 'text'],
  });
  model.append([file('b'), file('d'), file('f')]);
  model.end();
  reloads = 0;
  timesMissing = 0;
  isLoading = false;
  ownUploads = null;
  const target = {
    path: virtualPath('/docs'),
    model,
    get isLoading() {
      return isLoading;
    },
    get ownUploads() {
      return ownUploads;
    },
    reload: async () => void (reloads += 1),
    onMissing: () => void (timesMissing += 1),
    onSource: () => undefined,
  };
  live = new FolderLive(target, 'at-1', followChanges);
});
afterEach(() => {
  live.stop();
  document.body.replaceChildren();
  vi.useRealTimers();
});

const change = (changes: Omit<FolderChanges, 'path' | 'version'>): void =>
  listener.onChanges({ path: '/docs', version: 'x-1', ...changes });
const names = (): string[] => Array.from(model.order, (id) => model.name(id));
const idOf = (name: string): number => model.find(name) ?? -1;

test('adds, changes and removes rows with one notification, and keeps selection and cursor', () => {
  model.selectOnly(idOf('d'));
  let notifications = 0;
  model.subscribe(() => void (notifications += 1));
  change({ changed: [file('a'), file('d', 50)], removed: ['f', 'never existed'] });
  expect(notifications).toBe(1);
  expect(names()).toEqual(['a', 'b', 'd']);
  expect(model.size(idOf('d'))).toBe(50);
  expect(model.isSelected(idOf('d'))).toBe(true);
  expect(model.cursor).toBe(idOf('d'));
});

test('a change that arrives before the rows of a listing that is older is shown with them', () => {
  isLoading = true;
  change({ changed: [file('new')] });
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['b', 'd', 'f']);
  const { header } = model;
  if (header === null) throw new Error('there is no header');
  model.open(header);
  model.append([file('b'), file('d'), file('f')]);
  model.end();
  isLoading = false;
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['b', 'd', 'f', 'new']);
});

test('a renamed entry stays selected if it is the same one, and is another entry otherwise', () => {
  model.select([idOf('b'), idOf('d')]);
  const id = idOf('b');
  change({
    changed: [file('c'), file('e', 99)],
    removed: ['b', 'd'],
    moved: [
      ['b', 'c'],
      ['d', 'e'],
    ],
  });
  expect(names()).toEqual(['c', 'e', 'f']);
  expect(idOf('c')).toBe(id);
  expect(model.selectedIds()).toEqual([id]);
  expect(model.takeForeignChanges()).toEqual({ arrived: ['e'], lost: ['d'] });
});

test('new rows are marked for four seconds and animated, unless there are many', () => {
  change({ changed: [file('a'), file('d')] });
  const isMarked = (name: string): boolean => (model.rowState(idOf(name)) & rowBits.arrived) !== 0;
  expect([isMarked('a'), isMarked('d'), model.isMoving]).toEqual([true, false, true]);
  vi.advanceTimersByTime(200);
  expect(model.isMoving).toBe(false);
  vi.advanceTimersByTime(4000);
  expect(isMarked('a')).toBe(false);
  change({ changed: Array.from({ length: 51 }, (_, index) => file(`n${index}`)) });
  expect([isMarked('n1'), model.isMoving]).toEqual([false, false]);
});

test('the uploads of this window are neither marked nor announced as changes by others', () => {
  ownUploads = { isBusy: false, has: (name) => name === 'own' };
  change({ changed: [file('own'), file('foreign')] });
  const isMarked = (name: string): boolean => (model.rowState(idOf(name)) & rowBits.arrived) !== 0;
  expect([isMarked('own'), isMarked('foreign')]).toEqual([false, true]);
  expect(model.takeForeignChanges()).toEqual({ arrived: ['foreign'], lost: [] });
});

test('while this window uploads, changes are shown together every half second', () => {
  let isBusy = true;
  ownUploads = {
    get isBusy() {
      return isBusy;
    },
    has: () => false,
  };
  change({ changed: [file('g')] });
  vi.advanceTimersByTime(100);
  change({ changed: [file('h')] });
  change({ changed: [file('i')] });
  vi.advanceTimersByTime(300);
  expect(names()).toEqual(['b', 'd', 'f', 'g']);
  vi.advanceTimersByTime(101);
  expect(names()).toEqual(['b', 'd', 'f', 'g', 'h', 'i']);
  isBusy = false;
  change({ changed: [file('j')] });
  expect(names()).toContain('j');
});

test('changes are postponed while an entry is being named or dragged, or a pointer is pressed', () => {
  const editor = document.createElement('input');
  editor.dataset['part'] = 'editor';
  document.body.append(editor);
  change({ changed: [file('a')] });
  vi.advanceTimersByTime(10_000);
  expect(names()).toEqual(['b', 'd', 'f']);
  editor.remove();
  model.setDragSource(idOf('b'));
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['b', 'd', 'f']);
  model.setDragSource(null);
  document.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1 }));
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['b', 'd', 'f']);
  document.dispatchEvent(new PointerEvent('pointerup', { pointerId: 1 }));
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['a', 'b', 'd', 'f']);
});

test('rows that arrive while the folder is loaded again are applied afterwards', () => {
  const { header } = model;
  if (header === null) throw new Error('the folder is not loaded');
  model.open(header);
  change({ changed: [file('a')] });
  model.append([file('b'), file('d'), file('f')]);
  model.end();
  expect(names()).toEqual(['b', 'd', 'f']);
  vi.advanceTimersByTime(1000);
  expect(names()).toEqual(['a', 'b', 'd', 'f']);
});

test('an order by time or size changes at most every two seconds', () => {
  model.sort({ by: 'modified', asc: false });
  change({ changed: [file('f', 1, 10)] });
  expect(names()).toEqual(['f', 'b', 'd']);
  change({ changed: [file('d', 1, 20)] });
  vi.advanceTimersByTime(1900);
  expect(names()).toEqual(['f', 'b', 'd']);
  vi.advanceTimersByTime(200);
  expect(names()).toEqual(['d', 'f', 'b']);
});

test('the folder is loaded again when too much has changed', () => {
  change({ changed: [file('a')] });
  change({ again: true });
  expect(reloads).toBe(1);
});

test('the row of a running upload is not changed', () => {
  const id = model.setPending(
    { name: 'up', size: 5, modifiedMs: 1, type: 'text', isFolder: false, isSymlink: false },
    0.5,
  );
  change({ changed: [file('up', 2)] });
  expect(model.size(id)).toBe(5);
  change({ removed: ['up'] });
  expect(model.find('up')).toBe(id);
});

test('requests no folder that is reported missing, and loads it when it is reported again', () => {
  change({ again: true });
  change({ again: true, code: 'not_found' });
  expect([reloads, timesMissing]).toEqual([1, 1]);
  change({ again: true });
  expect([reloads, timesMissing]).toEqual([2, 1]);
});
