import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { chunk, makeFile } from './files.ts';
import { asMiB, inTurns, peakMemory, residentBytes, type Row } from './measure.ts';
import { rawExchange } from './clients/raw-client.ts';
import type { Reference } from './servers/reference.ts';

const run = promisify(execFile);
const fileBytes = 1024 * 1024 * 1024;
const memoryFileBytes = 2 * 1024 * 1024 * 1024;
/** Limit of the ratio of memory between a small and a 32 times larger file, up to which memory counts as constant. */
const flatMargin = 1.3;

/** Waits until earlier writes are flushed, so that they do not slow down the next upload. */
export const flushDisk = async (): Promise<void> => void (await run('sync'));

/** Formats bytes and milliseconds as a speed. */
export const speed = (bytes: number, ms: number): string =>
  `${Math.round(bytes / 1024 / 1024 / (ms / 1000))} MiB/s`;

/** Measures the throughput of one large download and upload against the reference, and memory during them. */
export async function measureTransfers(
  product: Product,
  token: string,
  root: string,
  reference: Reference,
): Promise<Row[]> {
  const headers = { 'X-Auth': token };
  const download = (name: string) => rawExchange(`${product.url}/api/raw/${name}`, { headers });
  const upload = (name: string, bodyBytes: number) =>
    rawExchange(`${product.url}/api/resources/${name}?override=true`, {
      method: 'POST',
      headers,
      body: chunk,
      bodyBytes,
    });

  await makeFile(join(root, 'large.bin'), fileBytes);
  const down = await inTurns(
    5,
    () => download('large.bin'),
    () => rawExchange(`${reference.url}/large.bin`, {}),
  );
  const up = await inTurns(
    5,
    () => upload('up-ours.bin', fileBytes),
    () => rawExchange(`${reference.url}/up-theirs.bin`, { method: 'PUT', body: chunk, bodyBytes: fileBytes }),
    flushDisk,
  );

  const idle = await residentBytes(product.pid);
  const small = memoryFileBytes / 32;
  await makeFile(join(root, 'small.bin'), small);
  const smallPeak = Math.max(
    await peakMemory(product.pid, () => download('small.bin')),
    await peakMemory(product.pid, () => upload('up-ours.bin', small)),
  );
  await makeFile(join(root, 'large.bin'), memoryFileBytes);
  const downPeak = await peakMemory(product.pid, () => download('large.bin'));
  const upPeak = await peakMemory(product.pid, () => upload('up-ours.bin', memoryFileBytes));
  for (const name of ['large.bin', 'small.bin', 'up-ours.bin', 'up-theirs.bin'])
    await rm(join(root, name), { force: true });

  return [
    {
      measurement: 'download of 1 GiB',
      ours: speed(fileBytes, down.oursMs),
      reference: `${speed(fileBytes, down.referenceMs)} ${reference.name}`,
      ratio: down.referenceMs / down.oursMs,
      limit: '≥ 0.6',
    },
    {
      measurement: 'upload of 1 GiB',
      ours: speed(fileBytes, up.oursMs),
      reference: `${speed(fileBytes, up.referenceMs)} ${reference.name}`,
      ratio: up.referenceMs / up.oursMs,
      limit: '≥ 0.8',
    },
    { measurement: 'memory before transfers', ours: asMiB(idle), reference: '' },
    {
      measurement: 'memory peak, download of 2 GiB',
      ours: asMiB(downPeak),
      reference: `${asMiB(smallPeak)} with 64 MiB`,
      ratio: downPeak / smallPeak,
      limit: `≤ ${flatMargin}`,
    },
    {
      measurement: 'memory peak, upload of 2 GiB',
      ours: asMiB(upPeak),
      reference: `${asMiB(smallPeak)} with 64 MiB`,
      ratio: upPeak / smallPeak,
      limit: `≤ ${flatMargin}`,
    },
  ];
}
