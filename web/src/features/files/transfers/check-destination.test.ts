import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { checkDestination } from './check-destination.ts';
import { fileAt, folderAt } from './test-entries.ts';

const docs = virtualPath('/docs');

test('refuses to move entries into their own folder, but copies them there', () => {
  const entries = [fileAt('/docs/a.txt')];
  expect(checkDestination('move', entries, docs)).toEqual({ isRefused: true, reason: 'alreadyThere' });
  expect(checkDestination('copy', entries, docs)).toEqual({ isRefused: false, reason: 'copiesHere' });
  expect(checkDestination('move', entries, virtualPath('/'))).toEqual({ isRefused: false, reason: null });
});

test.each(['move', 'copy'] as const)('refuses to %s a folder into itself or below itself', (kind) => {
  const entries = [folderAt('/docs')];
  const refused = { isRefused: true, reason: 'intoItself' };
  expect(checkDestination(kind, entries, docs)).toEqual(refused);
  expect(checkDestination(kind, entries, virtualPath('/docs/deep/er'))).toEqual(refused);
  expect(checkDestination(kind, entries, virtualPath('/docs-2')).isRefused).toBe(false);
});
