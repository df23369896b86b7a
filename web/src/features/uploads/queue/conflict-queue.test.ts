import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { answersFor, ConflictQueue, conflictScope, type UploadConflict } from './conflict-queue.ts';

const conflict = (name: string, sides: { incoming?: boolean; existing?: boolean } = {}): UploadConflict => ({
  path: virtualPath(`/${name}`),
  incoming: { isFolder: sides.incoming ?? false, size: 1, modifiedMs: 1 },
  existing: { isFolder: sides.existing ?? false, size: 2, modifiedMs: 2 },
});

test('offers to replace files and merge folders, but never to replace a folder with a file', () => {
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

test('shows one prompt at a time, with the number of further ones that the same answer resolves', async () => {
  const conflicts = new ConflictQueue();
  const scope = conflictScope(true);
  const first = conflicts.ask(conflict('a'), scope);
  const folder = conflicts.ask(conflict('b', { incoming: true, existing: true }), scope);
  const last = conflicts.ask(conflict('c'), scope);
  expect(conflicts.getSnapshot()).toMatchObject({ conflict: { path: '/a' }, remaining: 1 });
  conflicts.answer('replace', false);
  expect(await first).toBe('replace');
  expect(conflicts.getSnapshot()).toMatchObject({ conflict: { path: '/b' }, remaining: 0 });
  conflicts.answer('merge', false);
  conflicts.answer('skip', false);
  expect([await folder, await last]).toEqual(['merge', 'skip']);
  expect(conflicts.getSnapshot()).toBeNull();
});

test('applies an answer for the remaining ones to later prompts of its scope and kind only', async () => {
  const conflicts = new ConflictQueue();
  const scope = conflictScope(true);
  const asked = [conflicts.ask(conflict('a'), scope), conflicts.ask(conflict('b'), scope)];
  const other = conflicts.ask(conflict('other'), conflictScope(true));
  conflicts.answer('keep_both', true);
  expect(await Promise.all(asked)).toEqual(['keep_both', 'keep_both']);
  expect(await conflicts.ask(conflict('later'), scope)).toBe('keep_both');
  expect(conflicts.getSnapshot()).toMatchObject({ conflict: { path: '/other' } });
  conflicts.answer('skip', false);
  expect(await other).toBe('skip');
});

test('applies a cancellation to all prompts of its scope, including later ones', async () => {
  const conflicts = new ConflictQueue();
  const scope = conflictScope(true);
  const asked = [
    conflicts.ask(conflict('a'), scope),
    conflicts.ask(conflict('b', { incoming: true, existing: true }), scope),
  ];
  conflicts.answer('cancel', false);
  expect(await Promise.all(asked)).toEqual(['cancel', 'cancel']);
  expect(await conflicts.ask(conflict('c'), scope)).toBe('cancel');
});
