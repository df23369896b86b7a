import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { makeFile } from './files.ts';
import { inTurns, type Row } from './measure.ts';
import { rawExchange } from './clients/raw-client.ts';
import { flushDisk, speed } from './transfers.ts';

const run = promisify(execFile);
const fileBytes = 1024 * 1024 * 1024;

/** Measures copying a file of 1 GiB within the served folder against `cp`. */
export async function measureCopies(product: Product, token: string, root: string): Promise<Row[]> {
  const source = join(root, 'source.bin');
  const [ours, theirs] = [join(root, 'copy-ours.bin'), join(root, 'copy-theirs.bin')];
  await makeFile(source, fileBytes);
  const { oursMs, referenceMs } = await inTurns(
    5,
    () =>
      rawExchange(`${product.url}/api/resources/source.bin?action=copy&destination=%2Fcopy-ours.bin`, {
        method: 'PATCH',
        headers: { 'X-Auth': token },
      }),
    async () => {
      await run('cp', [source, theirs]);
    },
    async () => {
      await rm(ours, { force: true });
      await rm(theirs, { force: true });
      await flushDisk();
    },
  );
  await rm(source);
  await rm(theirs, { force: true });
  await rm(ours, { force: true });
  return [
    {
      measurement: 'copy of 1 GiB',
      ours: speed(fileBytes, oursMs),
      reference: `${speed(fileBytes, referenceMs)} cp`,
      ratio: oursMs / referenceMs,
      limit: '≤ 1.3',
    },
  ];
}
