import type { TotalsResult } from '@filestead/contract/endpoints/find';
import { entryTypes } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import { isCatalogueOn } from '../../../api/catalogue.ts';
import { forgetCatalogueOff } from '../../../test-catalogue.ts';
import { announceChange } from '../entries/changes.ts';
import { ListingModel } from '../listing/model/listing-model.ts';
import { FolderTotals } from './folder-totals.ts';

const path = virtualPath('/docs');
const total = (name: string, bytes: number | null) => ({
  name,
  bytes,
  allocated: bytes,
  files: 1,
  folders: 0,
  checkedAt: null,
});
const result = (bytes: number | null, coverage: TotalsResult['coverage'] = 'all'): TotalsResult => ({
  self: total('', bytes),
  rows: [total('a', bytes)],
  checkedAt: null,
  coverage,
});

let responses: (() => Response)[] = [];
let requested: string[] = [];
let totals: FolderTotals | null = null;
const model = () => {
  const created = new ListingModel();
  created.open({
    path: '/docs/',
    name: 'docs',
    modified: '',
    numDirs: 1,
    numFiles: 0,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  });
  created.append([['a', 0, 0, entryTypes.indexOf('')]]);
  created.end();
  created.expectTotals();
  return created;
};
const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });
const sizeOf = (of: ListingModel) => of.total(of.find('a') ?? -1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  pageConfig.EnableCatalogue = true;
  responses = [];
  requested = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url);
    return responses.shift()?.() ?? json(result(1));
  });
});
afterEach(() => {
  totals?.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  pageConfig.EnableCatalogue = false;
  forgetCatalogueOff();
});

const follow = (of: ListingModel) => (totals = new FolderTotals({ path, model: of }));

test('shows the sizes of the folders with one request', async () => {
  const shown = model();
  responses = [() => json(result(7))];
  follow(shown);
  await vi.waitFor(() => expect(sizeOf(shown)?.bytes).toBe(7));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requested).toHaveLength(1);
  expect(requested[0]).toMatch(/\/api\/totals\/docs\/$/u);
});

test('requests the totals again while the catalogue is being built', async () => {
  const shown = model();
  responses = [() => json(result(null, 'building')), () => json(result(9))];
  follow(shown);
  await vi.waitFor(() => expect(requested).toHaveLength(1));
  expect(sizeOf(shown)).toBeNull();
  await vi.advanceTimersByTimeAsync(500);
  await vi.waitFor(() => expect(sizeOf(shown)?.bytes).toBe(9));
});

test('requests the totals again after a change of the rows or of a file anywhere, once for several changes', async () => {
  const shown = model();
  follow(shown);
  await vi.waitFor(() => expect(sizeOf(shown)?.bytes).toBe(1));
  shown.update(shown.find('a') ?? -1, { modifiedMs: 5 });
  announceChange({ folders: [virtualPath('/docs/a')] });
  await vi.advanceTimersByTimeAsync(1500);
  await vi.waitFor(() => expect(requested).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(5000);
  expect(requested).toHaveLength(2);
});

test('shows no sizes where the catalogue is off, and does not ask again', async () => {
  const shown = model();
  responses = [() => json({ status: 409, code: 'catalogue_off', message: 'off' }, 409)];
  follow(shown);
  await vi.waitFor(() => expect(sizeOf(shown)).toBeUndefined());
  expect(isCatalogueOn()).toBe(false);
});

test('keeps the sizes when a later request fails', async () => {
  const shown = model();
  responses = [() => json(result(7)), () => json({ status: 500, code: 'internal_error', message: 'x' }, 500)];
  follow(shown);
  await vi.waitFor(() => expect(sizeOf(shown)?.bytes).toBe(7));
  announceChange({ folders: [path] });
  await vi.advanceTimersByTimeAsync(1500);
  await vi.waitFor(() => expect(requested).toHaveLength(2));
  expect(sizeOf(shown)?.bytes).toBe(7);
});

test('takes the later of the times at which a folder was read and the catalogue was compared', async () => {
  const shown = model();
  const read = '2026-11-20T09:40:00Z';
  const compared = '2026-11-20T10:00:00Z';
  const row = { ...total('a', 7), checkedAt: read };
  responses = [
    () => json({ ...result(7), rows: [row] }),
    () => json({ ...result(7), rows: [row], checkedAt: compared }),
  ];
  follow(shown);
  await vi.waitFor(() => expect(sizeOf(shown)?.checkedAtMs).toBe(Date.parse(read)));
  // An old size is requested again after a minute.
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(sizeOf(shown)?.checkedAtMs).toBe(Date.parse(compared)));
});
