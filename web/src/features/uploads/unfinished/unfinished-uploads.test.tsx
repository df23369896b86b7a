import { virtualPath } from '@filestead/contract/paths/virtual-path';
import type { FolderUpload } from '@filestead/contract/endpoints/folder-uploads';
import type { UnfinishedUpload } from '@filestead/contract/uploads';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { currentToasts } from '../../../ui/feedback/toast.ts';
import { showUploads } from '../test-uploads.tsx';

beforeEach(() => localStorage.clear());

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
  detail: null,
  isSending: false,
  overrides: true,
  ...more,
});
/** Returns a file as the picker of a folder returns it. */
const fileIn = (folder: string, path: string): File => {
  const file = new File(['12345'], path.split('/').at(-1) ?? '', { lastModified: 2000 });
  return Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}/${path}` });
};

describe('unfinished uploads', () => {
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
    const { unfinished } = showUploads(
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
    const { unfinished, discarded } = showUploads(
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
    const { unfinished } = showUploads(
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
    const { unfinished } = showUploads(
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
    const chosen = ['a.txt', 'b.txt', 'c.txt', 'in/d.txt'].map((path) => fileIn('Photos', path));
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
    const { unfinished } = showUploads(
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
    const chosen = ['a.txt', 'b.txt', 'c.txt'].map((path) => fileIn('Photos', path));
    await userEvent.upload(inputOf('interrupted-folder'), chosen);
    await screen.findByText('1 file uploaded');
    expect([sent, forgotten]).toEqual([['/in/Photos/c.txt'], []]);
  });

  test('of a folder ask about a file that has changed since it was sent', async () => {
    const { unfinished } = showUploads(
      { listFolder: async () => new Map([['a.txt', { isFolder: false, size: 5, modifiedMs: 1 }]]) },
      {},
      {
        listFolders: async () => [folder],
        arrivedFiles: async () => [{ file: 'a.txt', size: 5, modified: 1999 }],
      },
    );
    unfinished.open(noWork);
    await screen.findByRole('list', { name: '1 upload is not finished' });
    await userEvent.upload(inputOf('interrupted-folder'), [fileIn('Photos', 'a.txt')]);
    expect(await screen.findByRole('dialog', { name: /a\.txt/u })).toBeDefined();
  });

  test('are not offered while an open page works on them', async () => {
    const { unfinished } = showUploads(
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
    const { unfinished } = showUploads(
      {},
      {},
      {
        list: async () => [
          upload('a', '/a.bin', { size: 200_000, stored: 100_000, modified: 7, overrides: false, ...stored }),
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
