import type { ListingHeader } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FolderSession } from './folder-session.ts';
import { useReveal } from './use-reveal.ts';

const header: ListingHeader = {
  path: '/',
  name: '',
  modified: '2025-01-01T00:00:00Z',
  numDirs: 0,
  numFiles: 2,
  sorting: { by: 'name', asc: false },
  types: ['', 'text'],
};

function createSession(): FolderSession {
  const session = new FolderSession(virtualPath('/'));
  session.model.open(header);
  session.model.append([
    ['a', 1, 1, 1],
    ['b', 1, 1, 1],
  ]);
  session.model.end();
  return session;
}

test('scrolls to each revealed entry, repeatedly', () => {
  const session = createSession();
  const reveal = vi.fn();
  renderHook(() => useReveal(session, { current: { reveal, focusEntry: vi.fn() } }));
  act(() => session.reveal(['b']));
  expect(reveal).toHaveBeenLastCalledWith(session.model.find('b'));
  act(() => session.reveal(['b']));
  expect(reveal).toHaveBeenCalledTimes(2);
});

test('does not scroll back a user who has moved the cursor in the meantime', () => {
  const session = createSession();
  const reveal = vi.fn();
  session.reveal(['b']);
  session.model.selectOnly(session.model.find('a') ?? -1);
  renderHook(() => useReveal(session, { current: { reveal, focusEntry: vi.fn() } }));
  expect(reveal).not.toHaveBeenCalled();
  expect(session.selectedEntries().map(({ name }) => name)).toEqual(['a']);
});

test('focuses the entry, unless another part of the page has the focus', () => {
  const session = createSession();
  const focusEntry = vi.fn();
  renderHook(() => useReveal(session, { current: { reveal: vi.fn(), focusEntry } }));
  act(() => session.reveal(['b']));
  expect(focusEntry).toHaveBeenCalledExactlyOnceWith(session.model.find('b'));
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  act(() => session.reveal(['a']));
  field.remove();
  expect(focusEntry).toHaveBeenCalledOnce();
});
