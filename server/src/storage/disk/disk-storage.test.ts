import { afterAll, beforeAll } from 'vitest';
import { describeStorage } from '../testing/describe-storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';
import { ReadRing } from './reads/read-ring.ts';

const disks = temporaryDisks();
const ring = new ReadRing();
beforeAll(() => ring.start());
afterAll(() => ring.close());

for (const confinement of ['descriptor', 'path'] as const) {
  describeStorage(
    `disk, folders confined by ${confinement}`,
    async (files) => (await disks.open({ files, confinement, ring })).storage,
  );
  describeStorage(
    `disk, folders confined by ${confinement}, without the ring`,
    async (files) => (await disks.open({ files, confinement, ring: null })).storage,
    { readsOnly: true },
  );
}
