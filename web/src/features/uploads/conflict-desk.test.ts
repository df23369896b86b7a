import { virtualPath } from '@filestead/contract/virtual-path';
import { expect, test } from 'vitest';
import { answersFor, ConflictDesk, conflictScope, type Conflict } from './conflict-desk.ts';

const conflict = (name: string, sides: { incoming?: boolean; existing?: boolean } = {}): Conflict => ({
  path: virtualPath(`/${name}`),
  incoming: { isFolder: sides.incoming ?? false, size: 1, modifiedMs: 1 },
  existing: { isFolder: sides.existing ?? false, size: 2, modifiedMs: 2 },
});

test('files may be replaced, folders merged, and a file never replaces a folder', () => {
  expect(answersFor(conflict('a'), true)).toEqual(['keep_both', 'replace', 'skip']);
  expect(answersFor(conflict('a'), false)).toEqual(['keep_both', 'skip']);
  expect(answersFor(conflict('a', { incoming: true, existing: true }), false)).toEqual([
    'merge',
    'keep_both',
    'skip',
  ]);
  expect(answersFor(conflict('a', { incoming: true }), true)).toEqual(['keep_both', 'skip']);
  expect(answersFor(conflict('a', { existing: true }), true)).toEqual(['keep_both', 'skip']);
});

test('questions open one after the other and say how many more the same answer settles', async () => {
  const desk = new ConflictDesk();
  const scope = conflictScope(true);
  const first = desk.ask(conflict('a'), scope);
  const folder = desk.ask(conflict('b', { incoming: true, existing: true }), scope);
  const last = desk.ask(conflict('c'), scope);
  expect(desk.getSnapshot()).toMatchObject({ conflict: { path: '/a' }, remaining: 1 });
  desk.answer('replace', false);
  expect(await first).toBe('replace');
  expect(desk.getSnapshot()).toMatchObject({ conflict: { path: '/b' }, remaining: 0 });
  desk.answer('merge', false);
  desk.answer('skip', false);
  expect([await folder, await last]).toEqual(['merge', 'skip']);
  expect(desk.getSnapshot()).toBeNull();
});

test('an answer for the remaining ones holds for later questions of its scope and kind only', async () => {
  const desk = new ConflictDesk();
  const scope = conflictScope(true);
  const asked = [desk.ask(conflict('a'), scope), desk.ask(conflict('b'), scope)];
  const other = desk.ask(conflict('other'), conflictScope(true));
  desk.answer('keep_both', true);
  expect(await Promise.all(asked)).toEqual(['keep_both', 'keep_both']);
  expect(await desk.ask(conflict('later'), scope)).toBe('keep_both');
  expect(desk.getSnapshot()).toMatchObject({ conflict: { path: '/other' } });
  desk.answer('skip', false);
  expect(await other).toBe('skip');
});

test('cancelling answers everything of its scope, then and later', async () => {
  const desk = new ConflictDesk();
  const scope = conflictScope(true);
  const asked = [
    desk.ask(conflict('a'), scope),
    desk.ask(conflict('b', { incoming: true, existing: true }), scope),
  ];
  desk.answer('cancel', false);
  expect(await Promise.all(asked)).toEqual(['cancel', 'cancel']);
  expect(await desk.ask(conflict('c'), scope)).toBe('cancel');
});
