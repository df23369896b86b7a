import { describe } from 'vitest';
import { describeKept } from '../testing/describe-kept.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

describe.each(['descriptor', 'path'] as const)('disk, folders confined by %s', (confinement) =>
  describeKept(async (files) => (await disks.open({ files, confinement })).storage),
);
