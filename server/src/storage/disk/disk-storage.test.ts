import { afterAll, beforeAll } from 'vitest';
import { announcingWrites } from '../testing/announced-writes.ts';
import { describeStorage } from '../testing/describe-storage.ts';
import { hurriedClock } from '../testing/hurried-clock.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';
import { JobRing } from './ring/job-ring.ts';

const disks = temporaryDisks();
const rings = { quick: new JobRing(), flushes: new JobRing({ parallelJobs: 2 }) };
beforeAll(() => Promise.all([rings.quick.start(), rings.flushes.start()]));
afterAll(() => Promise.all([rings.quick.close(), rings.flushes.close()]));

for (const confinement of ['descriptor', 'path'] as const) {
  describeStorage(`disk, folders confined by ${confinement}`, async (files) =>
    announcingWrites((await disks.open({ files, confinement, rings, clock: hurriedClock })).storage),
  );
  describeStorage(
    `disk, folders confined by ${confinement}, without the rings`,
    async (files) => (await disks.open({ files, confinement, rings: null })).storage,
    { readsOnly: true },
  );
}
