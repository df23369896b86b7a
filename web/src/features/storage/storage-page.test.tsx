import type { StorageReport } from '@filestead/contract/endpoints/storage';
import type { UserUpload } from '@filestead/contract/uploads';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { loadTexts } from '../../i18n/i18n.ts';
import { StoragePage } from './storage-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const now = Date.now();
const report: StorageReport = {
  keepsDeleted: true,
  trashDays: 30,
  versionDays: 0,
  keptSize: 0,
  keepAtLeast: 604_800,
  nextSweep: new Date(now + 1_800_000).toISOString(),
  expiryHeld: [],
  largestUsers: [{ username: null, entries: 2, bytes: 2048 }],
  volumes: [
    {
      place: '/',
      total: 1000 * 1024 ** 3,
      free: 10 * 1024 ** 3,
      names: null,
      keepFree: 50 * 1024 ** 3,
      deleted: { entries: 2, bytes: 2048 },
      versions: { entries: 0, bytes: 0 },
      leaving: { entries: 0, bytes: 0 },
      reclaimable: 1024,
      oldest: new Date(now - 86_400_000).toISOString(),
      problem: 'disk_full',
      lastPurge: {
        at: new Date(now - 3_600_000).toISOString(),
        cause: 'low_space',
        entries: 3,
        bytes: 1024,
        reasons: { old_version: 3 },
      },
      brake: {
        kind: 'frees_nothing',
        since: new Date(now).toISOString(),
        until: new Date(now + 3_600_000).toISOString(),
      },
      check: null,
    },
  ],
};

const uploads: UserUpload[] = [
  {
    id: 'u1',
    username: 'maria',
    path: '/film.mp4',
    size: 4_000_000,
    stored: 1_000_000,
    began: now - 7_200_000,
    lastByte: now - 3_600_000,
    expires: now + 86_400_000,
    state: 'receiving',
    reason: null,
    detail: null,
    isSending: false,
  },
];

test('the page shows the last removal and the reason why nothing is removed now', async () => {
  await loadTexts('storage');
  vi.stubGlobal('fetch', async (request: Request | string) =>
    Response.json(
      String(request instanceof Request ? request.url : request).includes('uploads') ? uploads : report,
    ),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <StoragePage />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  // Each query throws when there is not exactly one such element.
  const removal = await screen.findByText(/Removed:/u);
  expect(removal.textContent).toMatch(/^3 items, .*The disk was low on space\. Removed: 3 old versions\.$/u);
  expect(screen.getByText(/Snapshots may/u).textContent).toMatch(/contain them\. Tries again in/u);
  const row = await screen.findByRole('row', { name: /film/u });
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Former user',
    '\u2068/film.mp4\u2069',
  ]);
  expect(row.textContent).toMatch(/maria.* of .*Interrupted, expires in/u);
  expect(
    screen.getByRole('button', { name: /^Discard the upload of .*film\.mp4.* by maria$/u }),
  ).toBeDefined();
});
