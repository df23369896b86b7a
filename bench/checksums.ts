import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { exchange, keepAlive } from './clients/http-client.ts';
import { makeFile } from './files.ts';
import { inTurns, type Row } from './measure.ts';
import { speed } from './transfers.ts';

const run = promisify(execFile);
const fileBytes = 1024 * 1024 * 1024;

/** Measures the sha256 of a warm file of 1 GiB against `sha256sum`. */
export async function measureChecksums(product: Product, token: string, root: string): Promise<Row[]> {
  const path = join(root, 'hashed.bin');
  await makeFile(path, fileBytes);
  const agent = keepAlive(1);
  const { oursMs, referenceMs } = await inTurns(
    3,
    async () => {
      await exchange(`${product.url}/api/resources/hashed.bin?checksum=sha256`, { 'X-Auth': token }, agent);
    },
    async () => {
      await run('sha256sum', [path]);
    },
  );
  agent.destroy();
  await rm(path);
  return [
    {
      measurement: 'sha256 of 1 GiB',
      ours: speed(fileBytes, oursMs),
      reference: `${speed(fileBytes, referenceMs)} sha256sum`,
      ratio: referenceMs / oursMs,
      limit: '≥ 0.8',
    },
  ];
}
