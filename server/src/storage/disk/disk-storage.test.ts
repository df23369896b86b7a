import { describeStorage } from '../testing/describe-storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

describeStorage(
  'disk, folders held by descriptor',
  async (files) => (await disks.open({ files, confinement: 'descriptor' })).storage,
);
describeStorage(
  'disk, folders told by their paths',
  async (files) => (await disks.open({ files, confinement: 'path' })).storage,
);
