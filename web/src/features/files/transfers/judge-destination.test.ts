import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { judgeDestination } from './judge-destination.ts';
import { fileAt, folderAt } from './test-entries.ts';

const docs = virtualPath('/docs');

test('refuses to move entries into their own folder, but copies them there', () => {
  const entries = [fileAt('/docs/a.txt')];
  expect(judgeDestination('move', entries, docs)).toEqual({ isRefused: true, reason: 'alreadyThere' });
  expect(judgeDestination('copy', entries, docs)).toEqual({ isRefused: false, reason: 'copiesHere' });
  expect(judgeDestination('move', entries, virtualPath('/'))).toEqual({ isRefused: false, reason: null });
});

test.each(['move', 'copy'] as const)('refuses to %s a folder into itself or below itself', (kind) => {
  const entries = [folderAt('/docs')];
  const refused = { isRefused: true, reason: 'intoItself' };
  expect(judgeDestination(kind, entries, docs)).toEqual(refused);
  expect(judgeDestination(kind, entries, virtualPath('/docs/deep/er'))).toEqual(refused);
  expect(judgeDestination(kind, entries, virtualPath('/docs-2')).isRefused).toBe(false);
});
