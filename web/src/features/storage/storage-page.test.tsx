import type { StorageReport } from '@filestead/contract/endpoints/storage';
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
      problem: null,
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

test('the page shows the last removal and the reason why nothing is removed now', async () => {
  await loadTexts('storage');
  vi.stubGlobal('fetch', async () => Response.json(report));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <StoragePage />
    </QueryClientProvider>,
  );
  // Each query throws when there is not exactly one such element.
  const removal = await screen.findByText(/Removed:/u);
  expect(removal.textContent).toMatch(/^3 items, .*The disk was low on space\. Removed: 3 old versions\.$/u);
  expect(screen.getByText(/Snapshots may/u).textContent).toMatch(/contain them\. Tries again in/u);
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Former user']);
});
