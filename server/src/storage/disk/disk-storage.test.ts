import { describeStorage } from '../testing/describe-storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

describeStorage(
  'disk with confinement by descriptors',
  async (files) => (await disks.open({ files, confinement: 'descriptor' })).storage,
);
describeStorage(
  'disk with confinement by paths',
  async (files) => (await disks.open({ files, confinement: 'path' })).storage,
);
