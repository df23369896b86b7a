import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { focusEntry } from './focus-entry.ts';
import { FolderSession } from './folder-session.ts';

const { model } = new FolderSession(virtualPath('/'));
const created = { name: 'made', isFolder: true, isSymlink: false, type: '', size: 0, modifiedMs: 1 } as const;
const focused = vi.fn<(id: number) => void>();
const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 1)));

beforeEach(() => {
  model.reset();
  focused.mockReset();
});
afterEach(() => document.body.replaceChildren());

test('focuses the new entry once its dialog has closed and it has arrived', async () => {
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.dataset['dialogOverlay'] = '';
  focusEntry(model, { current: { focusEntry: focused } }, 'made');
  await frame();
  dialog.remove();
  await frame();
  await frame();
  expect(focused).not.toHaveBeenCalled();
  const id = model.insert(created);
  expect(focused).toHaveBeenCalledExactlyOnceWith(id);
});

test('keeps the focus where the user has moved it in the meantime', async () => {
  focusEntry(model, { current: { focusEntry: focused } }, 'made');
  await frame();
  await frame();
  document.body.appendChild(document.createElement('input')).focus();
  model.insert(created);
  expect(focused).not.toHaveBeenCalled();
});
