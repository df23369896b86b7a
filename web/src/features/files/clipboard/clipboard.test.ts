import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, expect, test } from 'vitest';
import { emptyClipboard, fillClipboard, forgetInClipboard, pasteKind, readClipboard } from './clipboard.ts';
import { fileAt } from '../transfers/test-entries.ts';

afterEach(emptyClipboard);

test('ignores pasting cut entries into their own folder, and moves them to another one', () => {
  const cut = { mode: 'cut', entries: [fileAt('/docs/a.txt')] } as const;
  expect(pasteKind(cut, virtualPath('/docs'))).toBeNull();
  expect(pasteKind(cut, virtualPath('/'))).toBe('move');
});

test('copies copied entries to any folder, including their own', () => {
  const copied = { mode: 'copy', entries: [fileAt('/docs/a.txt')] } as const;
  expect(pasteKind(copied, virtualPath('/docs'))).toBe('copy');
});

test('removes deleted or moved entries from the clipboard', () => {
  fillClipboard({ mode: 'copy', entries: [fileAt('/a'), fileAt('/b')] });
  forgetInClipboard([virtualPath('/a')]);
  expect(readClipboard()?.entries.map(({ path }) => path)).toEqual(['/b']);
  forgetInClipboard([virtualPath('/b')]);
  expect(readClipboard()).toBeNull();
});
