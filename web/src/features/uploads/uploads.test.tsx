import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { beforeEach, describe, expect, test } from 'vitest';
import { currentToasts } from '../../ui/feedback/toast.ts';
import { TrayCard } from '../../ui/feedback/tray/tray-card.tsx';
import { type BlockedServer, BlockedUploads } from './blocked-uploads.ts';
import type { FolderUpload, UnfinishedUpload } from '@filestead/contract/uploads';
import { UnfinishedUploads } from './unfinished/unfinished-uploads.ts';
import type { UnfinishedServer } from './unfinished/unfinished-server.ts';
import type { UploadItem } from './collecting/upload-item.ts';
import { UploadQueue } from './queue/upload-queue.ts';
import type { UploadTransport } from './queue/upload-transport.ts';
import { Uploads } from './uploads.tsx';
import { windowOf } from './use-window.ts';

beforeEach(() => localStorage.clear());

const file = (name: string): UploadItem => ({
  kind: 'file',
  relativePath: name,
  file: new File(['12345'], name, { lastModified: 2000 }),
});

function show(
  answers: Partial<UploadTransport> = {},
  server: Partial<BlockedServer> = {},
  unfinishedServer: Partial<UnfinishedServer> = {},
  handles: ReadonlyMap<string, FileSystemHandle> = new Map(),
) {
  const discarded: string[] = [];
  const queue = new UploadQueue({
    sendFile: async () => undefined,
    createFolder: async () => undefined,
    isSmall: () => false,
    listFolder: async () => new Map(),
    announceFolder: async () => null,
    forgetFolder: async () => undefined,
    discard: async () => undefined,
    ...answers,
  });
  const unfinished = new UnfinishedUploads(
    {
      list: async () => [],
      listFolders: async () => [],
      addressOf: ({ id }) => `/api/tus/${id}`,
      fetchOffset: async () => 4,
      compare: async () => true,
      arrivedFiles: async () => [],
      discard: async (id) => void discarded.push(id),
      discardFolder: async (id) => void discarded.push(id),
      ...unfinishedServer,
    },
    { store: async () => undefined, forget: async () => undefined, find: async () => handles },
  );
  const blocked = new BlockedUploads({
    list: async () => [],
    finish: async () => '/',
    discard: async () => undefined,
    ...server,
  });
  render(
    <MemoryRouter>
      <TrayCard
        labels={{ tray: 'Activity', expand: 'Show', collapse: 'Hide', alerts: (count) => `${count} alerts` }}
      />
      <Uploads queue={queue} shared={queue} unfinished={unfinished} canReplace blocked={blocked} />
    </MemoryRouter>,
  );
  const add = (items: UploadItem[]) =>
    queue.enqueue({ destination: virtualPath('/in'), items, canReplace: true });
  return { queue, add, unfinished, discarded, blocked };
}

const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('shows no tray and no dialog without uploads', () => {
  show();
  expect(screen.queryByRole('region')).toBeNull();
  expect(asksBeforeLeaving()).toBe(false);
});

test('shows the state in the tray with links to finished uploads, and a toast at the end', async () => {
  let finish: (() => void) | undefined;
  const { add } = show({ sendFile: () => new Promise<void>((resolve) => (finish = resolve)) });
  await add([file('a b.txt')]);
  const tray = await screen.findByRole('region', { name: 'Activity' });
  await waitFor(() => expect(within(tray).getByText(/Uploading 0 of 1/)).toBeDefined());
  expect(asksBeforeLeaving()).toBe(true);
  expect(within(tray).getByRole('button', { name: 'Cancel a b.txt' })).toBeDefined();
  finish?.();
  const link = await within(tray).findByRole('link', { name: 'a b.txt' });
  expect(link.getAttribute('href')).toBe('/files/in/a%20b.txt');
  await waitFor(() => expect(asksBeforeLeaving()).toBe(false));
  expect(currentToasts().at(-1)).toMatchObject({ tone: 'success', message: '1 file uploaded' });
  await userEvent.click(within(tray).getByRole('button', { name: 'Close uploads' }));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

test('shows why an upload failed, and retries it by its button', async () => {
  let attempts = 0;
  const { add } = show({
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

test('asks about conflicts in one dialog, and can apply one answer to all', async () => {
  const sent: [string, boolean][] = [];
  const existing = { isFolder: false, size: 9, modifiedMs: 900_000 };
  const { add } = show({
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

describe('unfinished uploads', () => {
  const upload = (id: string, path: string, more: Partial<UnfinishedUpload> = {}): UnfinishedUpload => ({
    id,
    path,
    size: 5,
    stored: 4,
    began: 1,
    lastByte: 2,
    expires: Date.now() + 5 * 3_600_000,
    expiresSoon: false,
    modified: 2000,
    key: null,
    folder: null,
    state: 'receiving',
    reason: null,
    isSending: false,
    overrides: true,
    ...more,
  });
  const folder: FolderUpload = {
    id: 'f1',
    path: '/in/Photos',
    name: 'Photos',
    files: 10_000,
    bytes: 1,
    arrivedFiles: 6000,
    arrivedBytes: 1,
    began: 1,
    lastUsed: 2,
    expires: Date.now() + 86_400_000,
    expiresSoon: false,
  };
  const noWork = async () => ({
    pages: new Set<string>(),
    addresses: new Set<string>(),
    folders: new Set<string>(),
  });
  const inputOf = (name: string) => {
    const field = document.querySelector<HTMLInputElement>(`input[data-upload=${name}]`);
    return field ?? document.createElement('input');
  };

  test('are offered with their expiry, and resume when the same files are chosen', async () => {
    const sent: [string, boolean][] = [];
    const { unfinished } = show(
      { sendFile: async (path, _file, { override }) => sent.push([path, override]) },
      {},
      {
        list: async () => [
          upload('a', '/in/a.txt', { expiresSoon: true }),
          upload('b', '/b.txt', { isSending: true }),
        ],
      },
    );
    unfinished.open(noWork);
    const offer = await screen.findByRole('list', { name: '2 uploads are not finished' });
    const [a, b] = within(offer).getAllByRole('listitem');
    expect(a?.textContent).toMatch(/a\.txt80%.*Expires in 5 h/u);
    expect(b?.textContent).toMatch(/Being sent from another device/u);
    await userEvent.upload(inputOf('interrupted'), [
      new File(['12345'], 'a.txt', { lastModified: 2000 }),
      new File(['123456'], 'b.txt', { lastModified: 2000 }),
    ]);
    await waitFor(() => expect(sent).toEqual([['/in/a.txt', true]]));
    expect(currentToasts().map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/b\.txt.* is not the file that was interrupted/u),
    );
  });

  test('are discarded one by one and together', async () => {
    const { unfinished, discarded } = show(
      {},
      {},
      {
        list: async () => [upload('a', '/a.txt'), upload('b', '/b.txt')],
        listFolders: async () => [folder],
      },
    );
    unfinished.open(noWork);
    await userEvent.click(await screen.findByRole('button', { name: 'Discard the upload of a.txt' }));
    await waitFor(() => expect(screen.queryByText('a.txt')).toBeNull());
    expect(discarded).toEqual(['a']);
    await userEvent.click(screen.getByRole('button', { name: 'Discard all' }));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
    expect(discarded).toEqual(['a', 'b', 'f1']);
  });

  test('resume with one click if the browser has a handle, unless the file has changed', async () => {
    const sent: string[] = [];
    const handle = (lastModified: number) => ({
      kind: 'file',
      name: 'a.txt',
      getFile: async () => new File(['12345'], 'a.txt', { lastModified }),
    });
    const { unfinished } = show(
      { sendFile: async (path) => sent.push(path) },
      {},
      { list: async () => [upload('a', '/a.txt'), upload('b', '/b.txt')] },
      new Map([
        ['a', handle(2000)],
        ['b', handle(2001)],
      ]) as unknown as ReadonlyMap<string, FileSystemHandle>,
    );
    unfinished.open(noWork);
    await userEvent.click(await screen.findByRole('button', { name: 'Resume b.txt' }));
    await waitFor(() =>
      expect(currentToasts().map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/b\.txt.* is not the file that was interrupted/u),
      ),
    );
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Resume a.txt' }));
    await waitFor(() => expect(sent).toEqual(['/a.txt']));
  });

  test('of a folder continue with the files that are missing, without a question about those that arrived', async () => {
    const sent: unknown[] = [];
    const listed = new Map(
      ['a.txt', 'b.txt', 'in'].map((name) => [name, { isFolder: name === 'in', size: 5, modifiedMs: 1 }]),
    );
    const { unfinished } = show(
      {
        sendFile: async (path, _file, { folder: place }) => sent.push([path, place]),
        listFolder: async (path) => (path === '/in/Photos' ? listed : new Map()),
      },
      {},
      {
        list: async () => [upload('c', '/in/Photos/c.txt', { folder: { id: 'f1', file: 'c.txt' } })],
        listFolders: async () => [folder],
        arrivedFiles: async () => [
          { file: 'a.txt', size: 5, modified: 2000 },
          { file: 'b.txt', size: 5, modified: 2000 },
        ],
      },
    );
    unfinished.open(noWork);
    const offer = await screen.findByRole('list', { name: '1 upload is not finished' });
    expect(offer.textContent).toContain('Photos6,000 of 10,000 files');
    const button = within(offer).getByRole('button', { name: 'Choose folder Photos again' });
    expect(button.textContent).toBe('Choose folder again');
    const chosen = ['a.txt', 'b.txt', 'c.txt', 'in/d.txt'].map((path) => {
      const file = new File(['12345'], path.split('/').at(-1) ?? '', { lastModified: 2000 });
      return Object.defineProperty(file, 'webkitRelativePath', { value: `Photos/${path}` });
    });
    await userEvent.upload(inputOf('interrupted-folder'), chosen);
    await waitFor(() =>
      expect(sent).toEqual([
        ['/in/Photos/c.txt', { id: 'f1', file: 'c.txt' }],
        ['/in/Photos/in/d.txt', { id: 'f1', file: 'in/d.txt' }],
      ]),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('of a folder leave its record to the server when more files arrived after the list', async () => {
    const sent: string[] = [];
    const forgotten: string[] = [];
    const { unfinished } = show(
      {
        sendFile: async (path) => sent.push(path),
        forgetFolder: async (id) => void forgotten.push(id),
        listFolder: async () => new Map(),
      },
      {},
      {
        listFolders: async () => [{ ...folder, files: 3, arrivedFiles: 1 }],
        arrivedFiles: async () => ['a.txt', 'b.txt'].map((file) => ({ file, size: 5, modified: 2000 })),
      },
    );
    unfinished.open(noWork);
    await screen.findByRole('list', { name: '1 upload is not finished' });
    const chosen = ['a.txt', 'b.txt', 'c.txt'].map((path) => {
      const file = new File(['12345'], path, { lastModified: 2000 });
      return Object.defineProperty(file, 'webkitRelativePath', { value: `Photos/${path}` });
    });
    await userEvent.upload(inputOf('interrupted-folder'), chosen);
    await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ message: '1 file uploaded' }));
    expect([sent, forgotten]).toEqual([['/in/Photos/c.txt'], []]);
  });

  test('of a folder ask about a file that has changed since it was sent', async () => {
    const { unfinished } = show(
      { listFolder: async () => new Map([['a.txt', { isFolder: false, size: 5, modifiedMs: 1 }]]) },
      {},
      {
        listFolders: async () => [folder],
        arrivedFiles: async () => [{ file: 'a.txt', size: 5, modified: 1999 }],
      },
    );
    unfinished.open(noWork);
    await screen.findByRole('list', { name: '1 upload is not finished' });
    const file = new File(['12345'], 'a.txt', { lastModified: 2000 });
    Object.defineProperty(file, 'webkitRelativePath', { value: 'Photos/a.txt' });
    await userEvent.upload(inputOf('interrupted-folder'), [file]);
    expect(await screen.findByRole('dialog', { name: /a\.txt/u })).toBeDefined();
  });

  test('are not offered while an open page works on them', async () => {
    const { unfinished } = show(
      {},
      {},
      {
        list: async () => [
          upload('a', '/a.txt', { key: 'page1-7' }),
          upload('b', '/b.txt'),
          upload('c', '/c.txt'),
        ],
        listFolders: async () => [folder],
      },
    );
    unfinished.open(async () => ({
      pages: new Set(['page1']),
      addresses: new Set(['/api/tus/b']),
      folders: new Set(['f1']),
    }));
    await unfinished.refresh();
    expect(unfinished.getSnapshot()).toMatchObject({ uploads: [{ id: 'c' }], folders: [] });
    unfinished.close();
    expect(unfinished.getSnapshot()).toEqual({ uploads: [], folders: [] });
  });
});

describe('claiming an unfinished upload', () => {
  const identity = { path: virtualPath('/a.bin'), size: 200_000, modifiedMs: 7, override: false };
  const content = new Blob([new Uint8Array(200_000).fill(1)]);

  async function claim(stored: Partial<UnfinishedUpload>, isSame = true) {
    const compared: unknown[] = [];
    const { unfinished } = show(
      {},
      {},
      {
        list: async () => [
          {
            id: 'a',
            path: '/a.bin',
            size: 200_000,
            stored: 100_000,
            began: 1,
            lastByte: 1,
            expires: 2,
            expiresSoon: false,
            modified: 7,
            key: null,
            folder: null,
            state: 'receiving',
            reason: null,
            isSending: false,
            overrides: false,
            ...stored,
          },
        ],
        fetchOffset: async () => 150_000,
        compare: async (id, offset, tail) => {
          compared.push([id, offset, tail.size]);
          return isSame;
        },
      },
    );
    unfinished.open(async () => ({ pages: new Set(), addresses: new Set(), folders: new Set() }));
    await unfinished.refresh();
    const address = await unfinished.claim(identity, content);
    return { address, compared, left: unfinished.getSnapshot().uploads.length };
  }

  test('compares the last stored 64 KiB before it continues', async () => {
    expect(await claim({})).toEqual({
      address: '/api/tus/a',
      compared: [['a', 150_000, 64 * 1024]],
      left: 0,
    });
  });

  test('does not continue an upload whose stored bytes differ', async () => {
    expect(await claim({}, false)).toMatchObject({ address: null, left: 1 });
  });

  test.each([
    ['another size', { size: 200_001 }],
    ['another modification time', { modified: 8 }],
    ['another destination', { path: '/b.bin' }],
    ['another answer about overwriting', { overrides: true }],
  ])('compares nothing with %s', async (_title, stored) => {
    expect(await claim(stored)).toEqual({ address: null, compared: [], left: 1 });
  });
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
    isSending: false,
    overrides: false,
  };
  const region = () => screen.findByRole('region', { name: 'Activity' });

  /** A server with one blocked upload, which disappears when it is finished or discarded. */
  function serverWith(reason: string) {
    const choices: unknown[] = [];
    let unfinishedUpload = [{ ...upload, reason }];
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
    const { blocked } = show({}, server);
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

  test('keeps the upload blocked and shows the reason if the server refuses an action', async () => {
    const { server } = serverWith('already_exists');
    const { blocked } = show({}, server);
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
    const { blocked } = show({}, server);
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
    const { blocked } = show({}, server);
    await blocked.refresh();
    await userEvent.click(within(await region()).getByRole('button', { name: 'Discard film.bin' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull());
    expect(choices).toEqual([['one', 'discard']]);
  });
});
