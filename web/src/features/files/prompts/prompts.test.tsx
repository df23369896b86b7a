import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import { fileAt, folderAt } from '../transfers/test-entries.ts';
import { PromptHost } from './prompt-host.tsx';
import { askConflict, closeAllPrompts, openPrompt, type NamePrompt } from './prompt-store.ts';

const user = userEvent.setup();
/** The folders of the server, by path. */
let folders: Record<string, string[]> = {};

beforeEach(() => {
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
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('a new name is judged while it is typed, and sent trimmed', async () => {
  const submit = askName();
  const field = await screen.findByLabelText('Name');
  await user.type(field, 'Documents');
  expect(screen.getByText(/already exists here. Choose another name/u)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(submit).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, '  Letters {Enter}');
  expect(submit).toHaveBeenCalledWith('Letters');
  await gone();
});

test('an empty field is a mistake only once somebody goes on with it', async () => {
  const submit = askName();
  await screen.findByLabelText('Name');
  expect(screen.queryByText('Type a name.')).toBeNull();
  await user.keyboard('{Enter}');
  expect(screen.getByText('Type a name.')).toBeTruthy();
  expect(submit).not.toHaveBeenCalled();
});

test('what the server refuses is said inside the dialog, which stays', async () => {
  askName({
    submit: async () => {
      throw new ApiError(507, 'storage_full');
    },
  });
  await user.type(await screen.findByLabelText('Name'), 'Letters{Enter}');
  expect(await screen.findByText(/The disk is full/u)).toBeTruthy();
});

test('a name that only the server knows to be taken is a conflict like any other', async () => {
  askName({
    submit: async () => {
      throw new ApiError(409, 'already_exists');
    },
  });
  await user.type(await screen.findByLabelText('Name'), 'hidden{Enter}');
  expect(await screen.findByText(/already exists here/u)).toBeTruthy();
});

test('renaming selects the stem and warns about another ending', async () => {
  const submit = askName({ purpose: 'rename', entry: fileAt('/notes.txt') });
  const field = await screen.findByLabelText<HTMLInputElement>('New name of the file');
  await waitFor(() => expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]));
  await user.clear(field);
  await user.type(field, 'notes.exe');
  expect(screen.getByText(/The ending changes from .txt to .exe/u)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(submit).toHaveBeenCalledWith('notes.exe');
});

test('deleting names what goes, and the focus is on Cancel', async () => {
  const onConfirm = vi.fn();
  const entries = Array.from({ length: 8 }, (_, index) => fileAt(`/file-${index}`));
  openPrompt({ kind: 'remove', entries, onConfirm });
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete 8 items?' });
  expect(within(dialog).getByText('file-4')).toBeTruthy();
  expect(within(dialog).getByText('and 3 more')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('cancelling a deletion deletes nothing', async () => {
  const onConfirm = vi.fn();
  openPrompt({ kind: 'remove', entries: [folderAt('/Photos')], onConfirm });
  await screen.findByRole('alertdialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(onConfirm).not.toHaveBeenCalled();
});

test('a destination is picked or entered; where the entries lie already is none', async () => {
  const onChosen = vi.fn();
  openPrompt({
    kind: 'destination',
    transfer: 'move',
    entries: [fileAt('/a.txt')],
    start: virtualPath('/'),
    canCreate: true,
    onChosen,
  });
  const move = await screen.findByRole<HTMLButtonElement>('button', { name: 'Move' });
  expect(move.disabled).toBe(true);
  expect(screen.getByText(/This is where it lies now/u)).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Photos' }));
  expect(move.disabled).toBe(false);
  expect(screen.getByText(/Move 1 item to/u).textContent).toContain('/ Photos');
  await user.dblClick(screen.getByRole('button', { name: 'Photos' }));
  await user.click(await screen.findByRole('button', { name: 'Lisbon' }));
  await user.click(move);
  expect(onChosen).toHaveBeenCalledWith('/Photos/Lisbon');
});

test('Enter moves from the rows, and the focus stays among the folders on the way in and out', async () => {
  const onChosen = vi.fn();
  const ask = () =>
    openPrompt({
      kind: 'destination',
      transfer: 'move',
      entries: [fileAt('/a.txt')],
      start: virtualPath('/'),
      canCreate: true,
      onChosen,
    });
  ask();
  const row = (name: string) => screen.findByRole('button', { name });
  await waitFor(async () => expect(document.activeElement).toBe(await row('Documents')));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(await row('Photos'));
  expect(screen.getByText(/Move 1 item to/u).textContent).toContain('/ Photos');
  await user.keyboard('{ArrowRight}');
  await waitFor(async () => expect(document.activeElement).toBe(await row('Lisbon')));
  await user.keyboard('{ArrowLeft}');
  await waitFor(async () => expect(document.activeElement).toBe(await row('Photos')));
  await user.keyboard('{Enter}');
  expect(onChosen).toHaveBeenLastCalledWith('/Photos');
  await gone();

  // In a folder without folders the way up has the focus.
  ask();
  await waitFor(async () => expect(document.activeElement).toBe(await row('Documents')));
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('..'));
});

test('a folder that is moved can be neither picked nor entered', async () => {
  openPrompt({
    kind: 'destination',
    transfer: 'move',
    entries: [folderAt('/Photos')],
    start: virtualPath('/'),
    canCreate: false,
    onChosen: () => undefined,
  });
  const photos = await screen.findByRole<HTMLButtonElement>('button', { name: 'Photos' });
  expect(photos.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: /Open .*Photos/u })).toBeNull();
  expect(screen.queryByRole('button', { name: 'New folder' })).toBeNull();
});

test('a conflict shows both sides; closing it cancels', async () => {
  const conflict = {
    path: virtualPath('/Photos/a.jpg'),
    incoming: { isFolder: false, size: 2048, modifiedMs: 2_000_000 },
    existing: { isFolder: false, size: 1024, modifiedMs: 1_000_000 },
    choices: ['keep_both', 'replace', 'skip'],
  } as const;
  const kept = askConflict(conflict, 2);
  const dialog = await screen.findByRole('dialog', { name: 'This file already exists' });
  const text = dialog.textContent.replaceAll('\u00a0', ' ');
  expect(text).toContain('1 KiB');
  expect(text).toContain('To be put hereNewer2 KiB');
  await user.click(within(dialog).getByRole('checkbox', { name: 'Do this for the remaining 2' }));
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
