import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, expect, test } from 'vitest';
import { emptyClipboard, fillClipboard, forgetInClipboard, pasteKind, readClipboard } from './clipboard.ts';
import { fileAt } from '../transfers/test-entries.ts';

afterEach(emptyClipboard);

test('cut and pasted in place means nothing; elsewhere it is a move', () => {
  const cut = { mode: 'cut', entries: [fileAt('/docs/a.txt')] } as const;
  expect(pasteKind(cut, virtualPath('/docs'))).toBeNull();
  expect(pasteKind(cut, virtualPath('/'))).toBe('move');
});

test('copied entries are pasted anywhere, also where they came from', () => {
  const copied = { mode: 'copy', entries: [fileAt('/docs/a.txt')] } as const;
  expect(pasteKind(copied, virtualPath('/docs'))).toBe('copy');
});

test('what was deleted or moved leaves the clipboard', () => {
  fillClipboard({ mode: 'copy', entries: [fileAt('/a'), fileAt('/b')] });
  forgetInClipboard([virtualPath('/a')]);
  expect(readClipboard()?.entries.map(({ path }) => path)).toEqual(['/b']);
  forgetInClipboard([virtualPath('/b')]);
  expect(readClipboard()).toBeNull();
});
