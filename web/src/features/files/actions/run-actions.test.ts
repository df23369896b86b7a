import type { ListingHeader } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { noPermissions } from '@filestead/contract/values/permissions';
import { afterEach, expect, test, vi } from 'vitest';
import { closeAllToasts, currentToasts } from '../../../ui/feedback/toast.ts';
import { FolderSession } from '../folder/folder-session.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import { bindActions } from './actions.ts';
import { openEntry } from './open-entry.ts';
import { removeSelected } from './remove-selected.ts';
import { fileAt } from '../transfers/test-entries.ts';

afterEach(() => {
  closeAllToasts();
  vi.unstubAllGlobals();
});

function host() {
  return {
    user: {
      perm: noPermissions,
      viewMode: 'list',
      sorting: { by: 'name', asc: true },
      singleClick: false,
      dateFormat: false,
      redirectAfterCopyMove: false,
    },
    saveView: vi.fn<FolderHost['saveView']>(),
    useViewForAll: vi.fn<FolderHost['useViewForAll']>(),
    openFolder: vi.fn<FolderHost['openFolder']>(),
    openFile: vi.fn<FolderHost['openFile']>(),
    addressOf: (path) => path,
    chooseUploads: vi.fn<FolderHost['chooseUploads']>(),
    dropUploads: vi.fn<FolderHost['dropUploads']>(),
    pasteUploads: vi.fn<FolderHost['pasteUploads']>(),
    openSearch: vi.fn<FolderHost['openSearch']>(),
    toggleFavorite: vi.fn<FolderHost['toggleFavorite']>(),
    editTags: vi.fn<FolderHost['editTags']>(),
    openSpace: vi.fn<FolderHost['openSpace']>(),
    openTrash: vi.fn<FolderHost['openTrash']>(),
    openRewind: vi.fn<FolderHost['openRewind']>(),
    share: vi.fn<FolderHost['share']>(),
    showVersions: vi.fn<FolderHost['showVersions']>(),
    restoreVersion: vi.fn<FolderHost['restoreVersion']>(),
    isPhone: false,
  } satisfies FolderHost;
}

test('explains to users who may not delete forever which keys to press instead', async () => {
  const session = new FolderSession(virtualPath('/'));
  vi.spyOn(session, 'selectedEntries').mockReturnValue([fileAt('/a.txt')]);
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  removeSelected(
    () => ({
      session,
      host: host(),
      startRenameInPlace: () => false,
      startCreateInPlace: () => false,
      showFilter: () => undefined,
      focusEntry: () => undefined,
    }),
    true,
  );
  await vi.waitFor(() =>
    expect(currentToasts().map(({ message }) => message)).toEqual([
      expect.stringContaining('Press Del to move items to the trash'),
    ]),
  );
  expect(fetched).not.toHaveBeenCalled();
});

test('reloads the folder and ends selection mode', async () => {
  const header: ListingHeader = {
    path: '/',
    name: '',
    modified: '2025-01-01T00:00:00Z',
    numDirs: 0,
    numFiles: 2,
    sorting: { by: 'name', asc: false },
    types: ['', 'text'],
  };
  const lines = [header, ['a.txt', 10, 1, 1], ['b.txt', 10, 1, 1], { end: true, numDirs: 0, numFiles: 2 }];
  const fetched = vi.fn<typeof fetch>(
    async () =>
      new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        headers: { 'Content-Type': 'application/x-ndjson' },
      }),
  );
  vi.stubGlobal('fetch', fetched);
  const session = new FolderSession(virtualPath('/'));
  await session.reload();
  const commands = bindActions(() => ({
    session,
    host: host(),
    startRenameInPlace: () => false,
    startCreateInPlace: () => false,
    showFilter: () => undefined,
    focusEntry: () => undefined,
  }));
  commands.toggleSelecting();
  commands.selectAll();
  expect([session.model.isSelecting, session.model.selectedCount]).toEqual([true, 2]);
  commands.reload();
  expect([session.model.isSelecting, session.model.selectedCount]).toEqual([false, 0]);
  await vi.waitFor(() => expect(session.model.phase).toBe('ready'));
  expect(fetched).toHaveBeenCalledTimes(2);
  session.stop();
});

test('explains a link that leads out of the scope instead of opening it', () => {
  const folderHost = host();
  openEntry(folderHost, { ...fileAt('/away'), isSymlink: true, type: 'invalid_link' });
  expect(folderHost.openFile).not.toHaveBeenCalled();
  expect(folderHost.openFolder).not.toHaveBeenCalled();
  expect(currentToasts().map(({ tone, message }) => [tone, message])).toEqual([
    [
      'info',
      "“\u2068away\u2069” is a link that is broken or leads outside your files. It can't be opened, only renamed or deleted.",
    ],
  ]);
  openEntry(folderHost, fileAt('/a.txt'));
  expect(folderHost.openFile).toHaveBeenCalledExactlyOnceWith('/a.txt');
});
