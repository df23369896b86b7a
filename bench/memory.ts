import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Product } from '../e2e/support/product.ts';
import { chunk, makeSparse, makeTree } from './files.ts';
import { asMiB, peakMemory, type Row } from './measure.ts';
import { rawExchange } from './clients/raw-client.ts';

const smallBytes = 64 * 1024 * 1024;
const largeBytes = 10 * 1024 * 1024 * 1024;
const files = 100_000;
/** Limit of the ratio of memory between the large and the small transfer, up to which memory counts as constant. */
const flatMargin = 1.3;

/**
 * Measures the memory of the product while 10 GiB are downloaded and uploaded, and while 100,000 files are packed, against small
 * transfers of the same kind.
 */
export async function measureMemory(product: Product, token: string, root: string): Promise<Row[]> {
  const headers = { 'X-Auth': token };
  const get = (path: string) => () => rawExchange(`${product.url}/api/raw/${path}`, { headers });
  const upload = (bodyBytes: number) => () =>
    rawExchange(`${product.url}/api/resources/upload.bin?override=true`, {
      method: 'POST',
      headers,
      body: chunk,
      bodyBytes,
    });
  const rowOf = async (
    measurement: string,
    small: () => Promise<void>,
    large: () => Promise<void>,
  ): Promise<Row> => {
    const smallPeak = await peakMemory(product.pid, small);
    const largePeak = await peakMemory(product.pid, large);
    return {
      measurement: `memory peak, ${measurement}`,
      ours: asMiB(largePeak),
      reference: `${asMiB(smallPeak)} with a small one`,
      ratio: largePeak / smallPeak,
      limit: `≤ ${flatMargin}`,
    };
  };
  await makeSparse(join(root, 'small.bin'), smallBytes);
  await makeSparse(join(root, 'large.bin'), largeBytes);
  await makeTree(join(root, 'few'), 1_000);
  await makeTree(join(root, 'many'), files);
  const rows = [
    await rowOf('download of 10 GiB', get('small.bin'), get('large.bin')),
    await rowOf('upload of 10 GiB', upload(smallBytes), upload(largeBytes)),
    await rowOf('tar of 100,000 files', get('few/?algo=tar'), get('many/?algo=tar')),
    await rowOf('zip of 100,000 files', get('few/?algo=zip'), get('many/?algo=zip')),
  ];
  for (const name of ['small.bin', 'large.bin', 'upload.bin', 'few', 'many']) {
    await rm(join(root, name), { recursive: true, force: true });
  }
  return rows;
}
