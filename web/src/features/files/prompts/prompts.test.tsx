import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import type { FileEntry } from '../entries/entry.ts';
import { fileAt, folderAt } from '../transfers/test-entries.ts';
import { PromptHost } from './prompt-host.tsx';
import { askConflict, closeAllPrompts, openPrompt, type NamePrompt } from './prompt-store.ts';

const user = userEvent.setup();
/** The folders of the server, by path. */
let folders: Record<string, string[]> = {};

beforeEach(() => {
  localStorage.clear();
  folders = { '/': ['Documents', 'Photos'], '/Photos': ['Lisbon'], '/Documents': [] };
  Element.prototype.scrollIntoView ??= () => undefined;
  vi.stubGlobal('fetch', async (url: string) => listing(new URL(url, 'http://server').pathname));
  render(<PromptHost />);
});
afterEach(() => {
  closeAllPrompts();
  vi.unstubAllGlobals();
});

function listing(address: string): Response {
  const path = decodeURIComponent(address.slice('/api/resources'.length)) || '/';
  const names = folders[path] ?? [];
  const header: ListingHeader = {
    path,
    name: '',
    modified: '2025-01-01T00:00:00Z',
    numDirs: names.length,
    numFiles: 0,
    sorting: { by: 'name', asc: false },
    types: ['', 'text'],
  };
  const rows = names.map((name): ListingRow => [name, 4096, 1, 0]);
  const lines = [header, ...rows, { end: true, numDirs: names.length, numFiles: 0 }];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
}

function askName(change: Partial<NamePrompt> = {}) {
  const submit = vi.fn<NamePrompt['submit']>(async () => undefined);
  openPrompt({
    kind: 'name',
    purpose: 'newFolder',
    folder: virtualPath('/'),
    isTaken: (name) => name === 'Documents',
    submit,
    ...change,
  });
  return submit;
}
const waitUntilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('checks a new name while it is typed, and submits it trimmed', async () => {
  const submit = askName();
  const field = await screen.findByLabelText('Name');
  await user.type(field, 'Documents');
  expect(screen.getByText(/already exists here. Choose another name/u)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(submit).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, '  Letters {Enter}');
  expect(submit).toHaveBeenCalledWith('Letters');
  await waitUntilClosed();
});

test('reports an empty field only after it is submitted', async () => {
  const submit = askName();
  await screen.findByLabelText('Name');
  expect(screen.queryByText('Type a name.')).toBeNull();
  await user.keyboard('{Enter}');
  expect(screen.getByText('Type a name.')).toBeTruthy();
  expect(submit).not.toHaveBeenCalled();
});

test('shows a refusal by the server in the dialog, which stays open', async () => {
  askName({
    submit: async () => {
      throw new ApiError(507, 'storage_full');
    },
  });
  await user.type(await screen.findByLabelText('Name'), 'Letters{Enter}');
  expect(await screen.findByText(/The disk is full/u)).toBeTruthy();
});

test('reports a name that only the server knows to exist as a conflict', async () => {
  askName({
    submit: async () => {
      throw new ApiError(409, 'already_exists');
    },
  });
  await user.type(await screen.findByLabelText('Name'), 'hidden{Enter}');
  expect(await screen.findByText(/already exists here/u)).toBeTruthy();
});

test('selects the stem when renaming, and warns of another extension', async () => {
  const submit = askName({ purpose: 'rename', entry: fileAt('/notes.txt') });
  const field = await screen.findByLabelText<HTMLInputElement>('New name of the file');
  await waitFor(() => expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]));
  await user.clear(field);
  await user.type(field, 'notes.exe');
  expect(screen.getByText(/The extension changes from .txt to .exe/u)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(submit).toHaveBeenCalledWith('notes.exe');
});

test('lists the entries to delete, and focuses Cancel', async () => {
  const onConfirm = vi.fn();
  const entries = Array.from({ length: 8 }, (_, index) => fileAt(`/file-${index}`));
  openPrompt({ kind: 'remove', entries, onConfirm });
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete 8 items forever?' });
  expect(within(dialog).getByText('file-4')).toBeTruthy();
  expect(within(dialog).getByText('and 3 more')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
});

test.each([
  ['one file', [fileAt('/a')], /forever\?It will be permanently deleted \(10\sB\)/u],
  ['files', [fileAt('/a'), fileAt('/c')], /2 items \(20\sB\) will be permanently deleted/u],
])('names the number and size of what is deleted: %s', async (_name, entries, sentence) => {
  openPrompt({ kind: 'remove', entries, onConfirm: vi.fn() });
  const dialog = await screen.findByRole('alertdialog');
  await waitFor(() => expect(dialog.textContent).toMatch(sentence));
});

test.each([
  ['one folder', [folderAt('/b')], /The folder and everything in it will be/u],
  ['files and folders', [fileAt('/a'), folderAt('/b')], /including everything in the folders/u],
])('names the contents of folders that cannot be measured: %s', async (_name, entries, sentence) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  openPrompt({ kind: 'remove', entries, onConfirm: vi.fn() });
  const dialog = await screen.findByRole('alertdialog');
  await waitFor(() => expect(dialog.textContent).toMatch(sentence));
});

test('deletes nothing after cancelling', async () => {
  const onConfirm = vi.fn();
  openPrompt({ kind: 'remove', entries: [folderAt('/Photos')], onConfirm });
  await screen.findByRole('alertdialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(onConfirm).not.toHaveBeenCalled();
});

const folder = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}`, 'u') });
const askDestination = (change: { entries?: readonly FileEntry[]; canCreate?: boolean } = {}) => {
  const onChosen = vi.fn();
  openPrompt({
    kind: 'destination',
    transfer: 'move',
    entries: change.entries ?? [fileAt('/a.txt')],
    start: virtualPath('/'),
    canCreate: change.canCreate ?? true,
    onChosen,
  });
  return onChosen;
};

test('picks or opens a destination, and refuses the current folder of the entries', async () => {
  const onChosen = askDestination();
  const move = await screen.findByRole<HTMLButtonElement>('button', { name: 'Move' });
  expect((await folder('My files')).textContent).toContain('already here');
  expect(move.disabled).toBe(true);
  await user.click(await folder('Photos'));
  expect(move.disabled).toBe(false);
  await user.dblClick(await folder('Photos'));
  await user.click(await folder('Lisbon'));
  await user.click(move);
  expect(onChosen).toHaveBeenCalledWith('/Photos/Lisbon');
});

test('opens, picks and confirms folders by keyboard', async () => {
  const onChosen = askDestination();
  await folder('Documents');
  expect(document.activeElement).toBe(await folder('My files'));
  await user.keyboard('{ArrowDown}');
  await waitFor(async () => expect(document.activeElement).toBe(await folder('Documents')));
  await user.keyboard('{ArrowDown}{ArrowRight}');
  await folder('Lisbon');
  await user.keyboard('{ArrowRight}');
  await waitFor(async () => expect(document.activeElement).toBe(await folder('Lisbon')));
  await user.keyboard('{ArrowLeft}');
  await waitFor(async () => expect(document.activeElement).toBe(await folder('Photos')));
  await user.keyboard('{Enter}');
  expect(onChosen).toHaveBeenLastCalledWith('/Photos');
});

test('opens on the last target and lists its entries immediately', async () => {
  askDestination();
  await user.click(await folder('Photos'));
  await user.click(screen.getByRole('button', { name: 'Move' }));
  await waitUntilClosed();
  const onChosen = askDestination();
  await waitFor(async () => expect((await folder('Photos')).getAttribute('aria-selected')).toBe('true'));
  expect(screen.getByRole('button', { name: 'Recent target Photos' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Move' }));
  expect(onChosen).toHaveBeenCalledWith('/Photos');
});

test('goes to a typed path on the first Enter, and confirms on the second one', async () => {
  const onChosen = askDestination();
  await folder('Documents');
  await user.type(screen.getByRole('searchbox', { name: 'Find a folder or type a path' }), '/Photos/Lisbon');
  await user.keyboard('{Enter}');
  await waitFor(async () => expect((await folder('Lisbon')).getAttribute('aria-selected')).toBe('true'));
  expect(onChosen).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(onChosen).toHaveBeenCalledWith('/Photos/Lisbon');
});

test('focuses the shown folder whichever way it was chosen, so that Enter confirms', async () => {
  const onChosen = askDestination();
  const hasFocus = async (name: string) =>
    await waitFor(async () => expect(document.activeElement).toBe(await folder(name)));
  await user.type(await screen.findByRole('searchbox'), '/Photos/Lisbon');
  await user.click(screen.getByRole('button', { name: 'My files / ⁨Photos⁩ / ⁨Lisbon⁩' }));
  await hasFocus('Lisbon');
  await user.click(screen.getByRole('button', { name: 'New folder' }));
  await user.keyboard('{Escape}');
  await hasFocus('Lisbon');
  await user.keyboard('{Enter}');
  expect(onChosen).toHaveBeenLastCalledWith('/Photos/Lisbon');
  await waitUntilClosed();

  askDestination();
  await hasFocus('Lisbon');
  await user.click(await folder('Documents'));
  await user.click(screen.getByRole('button', { name: 'Recent target Lisbon' }));
  await hasFocus('Lisbon');
});

test('neither picks nor opens a folder that is being moved', async () => {
  askDestination({ entries: [folderAt('/Photos')], canCreate: false });
  const photos = await folder('Photos');
  expect(photos.getAttribute('aria-disabled')).toBe('true');
  await user.click(photos);
  expect(photos.getAttribute('aria-selected')).toBe('false');
  expect(photos.getAttribute('aria-expanded')).toBeNull();
  expect(screen.queryByRole('button', { name: 'New folder' })).toBeNull();
});

test('shows both sides of a conflict, and cancels when closed', async () => {
  const conflict = {
    path: virtualPath('/Photos/a.jpg'),
    incoming: { isFolder: false, size: 2048, modifiedMs: 2_000_000 },
    existing: { isFolder: false, size: 1024, modifiedMs: 1_000_000 },
    choices: ['keep_both', 'replace', 'skip'],
  } as const;
  const kept = askConflict(conflict, 2);
  const dialog = await screen.findByRole('dialog', { name: /a\.jpg.* is already in .*Photos/u });
  const text = dialog.textContent.replaceAll('\u00a0', ' ');
  expect(text).toContain('1 KB');
  expect(text).toMatch(/Incoming2 KB\+1 KB.*Newer/u);
  await user.click(within(dialog).getByRole('checkbox', { name: 'Do the same for 2 more' }));
  await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
  expect(await kept).toEqual({ choice: 'replace', forRemaining: true });

  expect(dialog.querySelector('img')).toBeNull();
  const pictured = askConflict({ ...conflict, from: virtualPath('/new/a.jpg'), hasPictures: true }, 0);
  const [existing, incoming] = (await screen.findByRole('dialog')).querySelectorAll('img');
  expect(existing?.getAttribute('src')).toContain('/Photos/a.jpg');
  expect(incoming?.getAttribute('src')).toContain('/new/a.jpg');
  await user.click(screen.getByRole('button', { name: 'Skip' }));
  expect(await pictured).toEqual({ choice: 'skip', forRemaining: false });

  const cancelled = askConflict(conflict, 0);
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(await cancelled).toEqual({ choice: 'cancel', forRemaining: false });
});
