import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { deniedBySystem, readOnlyDisk } from '@filestead/contract/errors';
import { ApiError } from '../../api/call.ts';
import { currentToasts } from '../../ui/feedback/toast.ts';
import type { BlockedServer } from './blocked-uploads.ts';
import type { UploadItem } from './collecting/upload-item.ts';
import { showUploads } from './test-uploads.tsx';
import { windowOf } from './use-window.ts';

beforeEach(() => localStorage.clear());

const file = (name: string): UploadItem => ({
  kind: 'file',
  relativePath: name,
  file: new File(['12345'], name, { lastModified: 2000 }),
});

const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('shows no tray and no dialog without uploads', () => {
  showUploads();
  expect(screen.queryByRole('region')).toBeNull();
  expect(asksBeforeLeaving()).toBe(false);
});

test('shows the state in the tray with links to finished uploads, and no toast at the end', async () => {
  let finish: (() => void) | undefined;
  const { add } = showUploads({ sendFile: () => new Promise<void>((resolve) => (finish = resolve)) });
  await add([file('a b.txt')]);
  const tray = await screen.findByRole('region', { name: 'Activity' });
  await waitFor(() => expect(within(tray).getByText(/Uploading 0 of 1/)).toBeDefined());
  expect(asksBeforeLeaving()).toBe(true);
  expect(within(tray).getByRole('button', { name: 'Cancel a b.txt' })).toBeDefined();
  finish?.();
  const link = await within(tray).findByRole('link', { name: 'a b.txt' });
  expect(link.getAttribute('href')).toBe('/files/in/a%20b.txt');
  await waitFor(() => expect(asksBeforeLeaving()).toBe(false));
  expect(within(tray).getByRole('link', { name: 'Show' }).getAttribute('href')).toBe('/files/in/');
  expect(await screen.findByText('1 file uploaded')).toBeDefined();
  expect(currentToasts()).toEqual([]);
  await userEvent.click(within(tray).getByRole('button', { name: 'Close uploads' }));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

test('reports the end in a toast while the tray is a small button', async () => {
  let finish: (() => void) | undefined;
  const { add } = showUploads({ sendFile: () => new Promise<void>((resolve) => (finish = resolve)) });
  await add([file('a.txt')]);
  const tray = await screen.findByRole('region', { name: 'Activity' });
  await userEvent.click(await within(tray).findByRole('button', { name: /Hide/u }));
  finish?.();
  await waitFor(() =>
    expect(currentToasts().at(-1)).toMatchObject({ tone: 'success', message: '1 file uploaded' }),
  );
});

test('shows why an upload failed, and retries it by its button', async () => {
  let attempts = 0;
  const { add } = showUploads({
    sendFile: async () => {
      attempts += 1;
      if (attempts === 1) throw Object.assign(new Error('full'), { code: 'storage_full' });
    },
  });
  await add([file('a.txt')]);
  expect(await screen.findByText('There is no space left on the server.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Retry a.txt' }));
  expect(await screen.findByRole('link', { name: 'a.txt' })).toBeDefined();
});

test.each([
  [deniedBySystem, 'The server itself may not do this. Check the owner and the permissions on the server.'],
  [readOnlyDisk, 'The disk is read-only. Check how it is mounted on the server.'],
  [undefined, 'You may not upload here.'],
])('shows whether the user or the server is refused (%s)', async (detail, text) => {
  const { add } = showUploads({
    sendFile: () => Promise.reject(new ApiError(403, 'forbidden', { detail })),
  });
  await add([file('a.txt')]);
  expect(await screen.findByText(text)).toBeDefined();
});

test('asks about conflicts in one dialog, and can apply one answer to all', async () => {
  const sent: [string, boolean][] = [];
  const existing = { isFolder: false, size: 9, modifiedMs: 900_000 };
  const { add } = showUploads({
    sendFile: async (path, _file, { override }) => sent.push([path, override]),
    listFolder: async () => new Map(['a.txt', 'b.txt', 'c.txt'].map((name) => [name, existing])),
  });
  void add(['a.txt', 'b.txt', 'c.txt', 'free.txt'].map(file));
  const dialog = await screen.findByRole('dialog', { name: /a\.txt.* is already in .*in/u });
  expect(
    within(dialog).getByText('Newer').parentElement?.parentElement?.parentElement?.textContent,
  ).toContain('Already there');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Skip' }));
  expect(await within(dialog).findByRole('heading', { name: /b\.txt.* is already in/u })).toBeDefined();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Do the same for 1 more' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Replace' }));
  await waitFor(() =>
    expect(sent).toEqual([
      ['/in/b.txt', true],
      ['/in/c.txt', true],
      ['/in/free.txt', false],
    ]),
  );
});

test.each([
  [100, 0, 308, 0, 9],
  [100, 560, 308, 7, 19],
  [3, 0, 308, 0, 3],
  [3, 5600, 308, 3, 3],
  [0, 0, 0, 0, 0],
])(
  'renders, of %i rows scrolled by %i px in a height of %i px, rows %i to %i',
  (count, top, height, first, end) => {
    expect(windowOf(count, 56, top, height)).toEqual({ first, end });
  },
);

describe('blocked uploads', () => {
  const upload = {
    id: 'one',
    path: '/Photos/film.bin',
    size: 6,
    stored: 6,
    began: 1,
    lastByte: 1,
    expires: 2,
    expiresSoon: false,
    modified: null,
    key: null,
    folder: null,
    state: 'blocked' as const,
    reason: 'already_exists',
    detail: null as string | null,
    isSending: false,
    overrides: false,
  };
  const region = () => screen.findByRole('region', { name: 'Activity' });

  /** A server with one blocked upload, which disappears when it is finished or discarded. */
  function serverWith(reason: string, detail: string | null = null) {
    const choices: unknown[] = [];
    let unfinishedUpload = [{ ...upload, reason, detail }];
    const server: BlockedServer = {
      list: async () => [{ ...upload, id: 'two', state: 'receiving', reason: null }, ...unfinishedUpload],
      finish: async (id, choice) => {
        choices.push([id, choice]);
        if (choice.action === 'replace') throw Object.assign(new Error('no'), { code: 'forbidden' });
        unfinishedUpload = [];
        return choice.action === 'move' ? choice.path : '/Photos/film(1).bin';
      },
      discard: async (id) => {
        choices.push([id, 'discard']);
        unfinishedUpload = [];
      },
    };
    return { server, choices };
  }

  test('shows the reason of a blocked upload and keeps both files on request', async () => {
    const { server, choices } = serverWith('already_exists');
    const { blocked } = showUploads({}, server);
    const uploaded: unknown[] = [];
    blocked.onFinished(({ path, name }) => uploaded.push([path, name]));
    await blocked.refresh();
    const tray = await region();
    within(tray).getByRole('heading', { name: '1 upload is blocked' });
    within(tray).getByText(/A file with this name already exists there/);
    expect(within(tray).queryByRole('button', { name: /Try again/ })).toBeNull();
    await userEvent.click(within(tray).getByRole('button', { name: 'Keep both: film.bin' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull());
    expect(choices).toEqual([['one', { action: 'keep_both' }]]);
    expect(uploaded).toEqual([['/Photos/film(1).bin', 'film(1).bin']]);
  });

  test('says that the disk blocks an upload, not a missing permission', async () => {
    const { blocked } = showUploads({}, serverWith('forbidden', readOnlyDisk).server);
    await blocked.refresh();
    expect(within(await region()).getByText(/^The disk is read-only\./u)).toBeDefined();
  });

  test('keeps the upload blocked and shows the reason if the server refuses an action', async () => {
    const { server } = serverWith('already_exists');
    const { blocked } = showUploads({}, server);
    await blocked.refresh();
    await userEvent.click(within(await region()).getByRole('button', { name: 'Replace: film.bin' }));
    await waitFor(() =>
      expect(currentToasts().map(({ message }) => message)).toContain('You may not upload here.'),
    );
    expect(
      within(await region())
        .getByRole('button', { name: 'Replace: film.bin' })
        .hasAttribute('disabled'),
    ).toBe(false);
  });

  test('lets an upload that a check refused be retried, moved to another folder or discarded', async () => {
    const { server, choices } = serverWith('hook_failed');
    const { blocked } = showUploads({}, server);
    await blocked.refresh();
    const tray = await region();
    within(tray).getByRole('button', { name: 'Try again: film.bin' });
    expect(within(tray).queryByRole('button', { name: /Replace/ })).toBeNull();
    await userEvent.click(within(tray).getByRole('button', { name: 'Another folder for film.bin' }));
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Folder' });
    expect(field.value).toBe('/Photos');
    await userEvent.clear(field);
    await userEvent.type(field, '/Films/New{Enter}');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull());
    expect(choices).toEqual([['one', { action: 'move', path: '/Films/New/film.bin' }]]);
  });

  test('removes a discarded blocked upload', async () => {
    const { server, choices } = serverWith('forbidden');
    const { blocked } = showUploads({}, server);
    await blocked.refresh();
    await userEvent.click(within(await region()).getByRole('button', { name: 'Discard film.bin' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull());
    expect(choices).toEqual([['one', 'discard']]);
  });
});
