import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { trashClient } from '../trash/trash-testing.ts';

let app: TestApp;
afterEach(() => app.close());
const hourMs = 60 * 60_000;

async function report(token: string, query = ''): Promise<StorageReport> {
  const response = await app.fetch(`/api/storage${query}`, { token });
  expect(response.status).toBe(200);
  return (await response.json()) as StorageReport;
}

test('administrators see how much is kept on each disk, for how long and by whom', async () => {
  app = await startApp({ files: { 'a.txt': 'four', 'b.txt': 'b' }, config: { keepAtLeast: '2d' } });
  const admin = await trashClient(app, 'admin');
  const empty = await report(admin.token);
  expect(empty).toMatchObject({
    keepsDeleted: true,
    trashDays: 30,
    versionDays: 365,
    keptSize: 0,
    keepAtLeast: 2 * 86_400,
    expiryHeld: [],
    largestUsers: [],
    volumes: [{ place: '/', deleted: { entries: 0, bytes: 0 }, oldest: null, problem: null, check: null }],
  });
  expect(Date.parse(empty.nextSweep) - app.clock.now()).toBeGreaterThan(hourMs / 2);
  await admin.remove('/a.txt');
  const doomed = await admin.remove('/b.txt');
  await admin.post('/api/trash/purge', { ids: [doomed] });
  const { volumes, largestUsers } = await report(admin.token, '?check=true');
  expect(volumes).toHaveLength(1);
  expect(volumes[0]).toMatchObject({
    deleted: { entries: 1, bytes: 4 },
    versions: { entries: 0, bytes: 0 },
    leaving: { entries: 1, bytes: 1 },
    reclaimable: 0,
    brake: { kind: 'starting' },
    lastPurge: null,
    check: { withoutRecord: 0, withoutEntry: 0, damaged: 0, foreign: 0 },
  });
  expect(volumes[0]?.keepFree).toBe(Math.min(Math.floor((volumes[0]?.total ?? 0) / 10), 50 * 1024 ** 3));
  expect(largestUsers).toEqual([{ username: 'admin', entries: 2, bytes: 5 }]);
});

test('a store that is missing is reported with the reason', async () => {
  app = await startApp({ files: { 'a.txt': 'a' } });
  const admin = await trashClient(app, 'admin');
  await admin.remove('/a.txt');
  rmSync(join(app.root, '.filestead-trash'), { recursive: true });
  const { volumes } = await report(admin.token);
  expect(volumes[0]).toMatchObject({ place: '/', problem: 'store_missing', check: null });
});

test('entries that expire are reported with the next and the last removal', async () => {
  const config = { tokenExpirationTime: '90h' };
  app = await startApp({ files: { 'a.txt': 'a' }, settings: { trashDays: 1 }, stopsClock: true, config });
  const admin = await trashClient(app, 'admin');
  await admin.remove('/a.txt');
  const nextHour = async (): Promise<unknown> => {
    app.clock.advance(hourMs);
    return (await report(admin.token)).volumes[0]?.lastPurge;
  };
  await expect
    .poll(nextHour, { interval: 10, timeout: 20_000 })
    .toMatchObject({ cause: 'expiry', entries: 1, bytes: 1, reasons: { expired: 1 } });
});
