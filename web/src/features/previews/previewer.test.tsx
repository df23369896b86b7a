import type { EntryType } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { setSingleKeys } from '../../ui/keyboard/single-keys.ts';
import type { PreviewEntry } from './preview-entry.ts';
import { Previewer, type PreviewerProps } from './previewer.tsx';

const entry = (name: string, type: EntryType): PreviewEntry => ({
  path: virtualPath(`/p/${name}`),
  name,
  type,
  size: 1536,
  modifiedMs: 7,
});
const siblings = [entry('1.jpg', 'image'), entry('2.jpg', 'image'), entry('3.bin', 'blob')];

function show(at: number, change: Partial<PreviewerProps> = {}) {
  const calls = {
    onNavigate: vi.fn<(entry: PreviewEntry) => void>(),
    onClose: vi.fn<() => void>(),
    onDownload: vi.fn<(entry: PreviewEntry) => void>(),
    onInfo: vi.fn<(entry: PreviewEntry) => void>(),
    onDelete: vi.fn<(entry: PreviewEntry, successor: PreviewEntry | null) => void>(),
    onRename: vi.fn<(entry: PreviewEntry) => void>(),
  };
  const shown = siblings[at] ?? entry('none', 'blob');
  const element = <Previewer entry={shown} siblings={siblings} canDownload {...calls} {...change} />;
  return { calls, ...render(element) };
}

test('shows the whole image with its position among its neighbors', () => {
  show(0);
  expect(screen.getByRole('dialog', { name: '1.jpg' })).toBeDefined();
  expect(screen.getByText('1 of 3')).toBeDefined();
  expect(screen.getByRole('img').getAttribute('src')).toBe('/api/raw/p/1.jpg?inline=true&key=7');
  expect(screen.queryByRole('button', { name: 'Previous' })).toBeNull();
});

test('plays a recording at once only for users who chose that', () => {
  const song = entry('song.mp3', 'audio');
  const { unmount } = show(0, { entry: song });
  expect(document.querySelector('audio')?.autoplay).toBe(false);
  unmount();
  show(0, { entry: song, isAutoplaying: true });
  expect(document.querySelector('audio')?.autoplay).toBe(true);
});

test('moves, closes, deletes and renames by keys', async () => {
  const { calls } = show(1);
  await userEvent.keyboard('{ArrowRight}');
  expect(calls.onNavigate.mock.lastCall?.[0].name).toBe('3.bin');
  await userEvent.keyboard('{ArrowLeft}');
  expect(calls.onNavigate.mock.lastCall?.[0].name).toBe('1.jpg');
  await userEvent.keyboard('{F2}');
  expect(calls.onRename).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Delete}');
  expect(calls.onDelete.mock.lastCall?.map((one) => one?.name)).toEqual(['2.jpg', '3.bin']);
  await userEvent.keyboard('{Escape}');
  expect(calls.onClose).toHaveBeenCalledTimes(1);
});

test('rotates a picture by key and by button, and offers that only where it is possible', async () => {
  const onRotate = vi.fn<(degrees: 90 | 270) => void>();
  const { unmount } = show(1, { onRotate });
  await userEvent.keyboard('r');
  await userEvent.keyboard('{Shift>}R{/Shift}');
  await userEvent.click(screen.getByRole('button', { name: 'Rotate' }));
  expect(onRotate.mock.calls).toEqual([[90], [270], [90]]);
  unmount();
  show(1);
  await userEvent.keyboard('r');
  expect(screen.queryByRole('button', { name: 'Rotate' })).toBeNull();
});

test('keeps Tab within the previewer in both directions, with one tab stop in the filmstrip', async () => {
  // jsdom has no layout; every element counts as visible.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
  render(<button type="button">behind</button>);
  show(1);
  const dialog = screen.getByRole('dialog', { name: '2.jpg' });
  const visited = new Set<Element | null>();
  for (let press = 0; press < 15; press++) {
    await userEvent.tab();
    visited.add(document.activeElement);
    expect(dialog.contains(document.activeElement)).toBe(true);
  }
  expect(visited).toContain(
    within(screen.getByRole('group', { name: 'Files in this folder' })).getByRole('button', {
      name: '2.jpg',
    }),
  );
  expect(visited).not.toContain(screen.getByRole('button', { name: '3.bin' }));
  for (let press = 0; press < 15; press++) {
    await userEvent.tab({ shift: true });
    expect(dialog.contains(document.activeElement)).toBe(true);
  }
});

test('ignores single-character keys when they are turned off, but not the others', async () => {
  act(() => setSingleKeys(false));
  const { calls } = show(1);
  await userEvent.keyboard('i');
  expect(calls.onInfo).not.toHaveBeenCalled();
  await userEvent.keyboard('{ArrowRight}');
  expect(calls.onNavigate.mock.lastCall?.[0].name).toBe('3.bin');
  act(() => setSingleKeys(true));
  await userEvent.keyboard('i');
  expect(calls.onInfo).toHaveBeenCalledTimes(1);
});

test('shows the previous file after the last one was deleted', async () => {
  const { calls } = show(2);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(calls.onDelete.mock.lastCall?.[1]?.name).toBe('2.jpg');
});

test('offers actions for a file without a preview', async () => {
  const { calls } = show(2);
  expect(screen.getByText('Preview is not available for this file')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open file' })).toBeDefined();
  const [, inCard] = screen.getAllByRole('button', { name: 'Download' });
  await userEvent.click(inCard ?? document.body);
  expect(calls.onDownload).toHaveBeenCalledTimes(1);
});

afterEach(() => vi.unstubAllGlobals());

/** Stubs the response to the request that diagnoses a failed preview. */
const stubResponse = (respond: () => Promise<Response>) => vi.stubGlobal('fetch', respond);

test('reports a damaged image', async () => {
  stubResponse(() => Promise.resolve(new Response('x', { status: 206 })));
  show(0);
  fireEvent.error(screen.getByRole('img'));
  expect(await screen.findByText(/could not be shown/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('offers to load an image again after a network failure, and does not call it damaged', async () => {
  stubResponse(() => Promise.reject(new TypeError('no network')));
  show(0);
  fireEvent.error(screen.getByRole('img'));
  expect(await screen.findByText(/could not be loaded/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('img').getAttribute('src')).toContain('/1.jpg');
  expect(screen.queryByText(/could not be loaded/)).toBeNull();
});

test('reports a deleted file and offers no actions for it', async () => {
  stubResponse(() => Promise.resolve(Response.json({}, { status: 404 })));
  show(0);
  fireEvent.error(screen.getByRole('img'));
  expect(await screen.findByText(/no longer there/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Open file' })).toBeNull();
});

test('requests nothing and offers nothing without the permissions', () => {
  show(0, { canDownload: false, onDelete: undefined, onRename: undefined });
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText(/You may not download files here/)).toBeDefined();
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Close preview',
    'Details',
    'Next',
  ]);
});

test('takes the focus, keeps it, and returns it when closed', async () => {
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  const { unmount } = show(2);
  const dialog = screen.getByRole('dialog');
  expect(dialog.contains(document.activeElement)).toBe(true);
  unmount();
  expect(document.activeElement).toBe(opener);
  opener.remove();
});

test('reports an empty file as empty, for any type', () => {
  for (const type of ['image', 'audio', 'pdf', 'blob'] as const) {
    const { unmount } = show(0, { entry: { ...entry('new', type), size: 0 } });
    expect(screen.getByText('This file is empty.')).toBeDefined();
    unmount();
  }
});

test('shows the end of a text that is too large for the editor', async () => {
  stubResponse(() => Promise.resolve(new Response('part of a line\nthe last line', { status: 206 })));
  show(0, { entry: { ...entry('all.log', 'blob'), size: 11 * 1024 * 1024 } });
  expect(await screen.findByText('the last line')).toBeDefined();
});

test('makes opening a PDF the primary action when the browser cannot embed it', () => {
  vi.stubGlobal('navigator', {
    ...navigator,
    languages: ['en'],
    pdfViewerEnabled: true,
    vendor: 'Apple Computer, Inc.',
    maxTouchPoints: 5,
  });
  show(0, { entry: entry('a.pdf', 'pdf') });
  expect(screen.getByRole('link', { name: 'Open file' }).dataset['first']).toBe('true');
  vi.unstubAllGlobals();
});

test('reports a recording whose error fired before it was mounted', async () => {
  stubResponse(() => Promise.resolve(new Response('x', { status: 206 })));
  const player = HTMLMediaElement.prototype;
  Object.defineProperty(player, 'error', { configurable: true, get: () => ({ code: 4 }) });
  show(0, { entry: entry('broken.mp3', 'audio') });
  expect(await screen.findByText(/cannot play the file/u)).toBeDefined();
  Reflect.deleteProperty(player, 'error');
});
