import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { render } from '@testing-library/react';
import { TrayCard } from '../../ui/feedback/tray/tray-card.tsx';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { type BlockedServer, BlockedUploads } from './blocked-uploads.ts';
import type { UploadItem } from './collecting/upload-item.ts';
import { UploadQueue } from './queue/upload-queue.ts';
import type { UploadTransport } from './queue/upload-transport.ts';
import type { UnfinishedServer } from './unfinished/unfinished-server.ts';
import { UnfinishedUploads } from './unfinished/unfinished-uploads.ts';
import { Uploads } from './uploads.tsx';

/** Renders the uploads of a page, for tests; the servers answer as given. */
export function showUploads(
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
