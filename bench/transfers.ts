import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { asMiB, inTurns, peakMemory, residentBytes, type Row } from './measure.ts';
import { rawExchange } from './clients/raw-client.ts';
import type { Yardstick } from './servers/yardstick.ts';

const run = promisify(execFile);
/** The content of the files. */
export const chunk = Buffer.alloc(1024 * 1024, 'filestead');
const fileBytes = 1024 * 1024 * 1024;
const memoryFileBytes = 2 * 1024 * 1024 * 1024;
/** Limit of the ratio of memory between a small and a 32 times larger file, up to which memory counts as constant. */
const flatMargin = 1.3;

/** Creates a file and waits until it is flushed to the disk. */
export async function makeFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  for (let written = 0; written < bytes; written += chunk.length) await file.write(chunk);
  await file.sync();
  await file.close();
}

/** Waits until earlier writes are flushed, so that they do not slow down the next upload. */
export const flushDisk = async (): Promise<void> => void (await run('sync'));

/** Formats bytes and milliseconds as a speed. */
export const speed = (bytes: number, ms: number): string =>
  `${Math.round(bytes / 1024 / 1024 / (ms / 1000))} MiB/s`;

/** Throughput of one large download and upload against the yardstick, and memory during them. */
export async function measureTransfers(
  product: Product,
  token: string,
  root: string,
  yardstick: Yardstick,
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
    () => rawExchange(`${yardstick.url}/large.bin`, {}),
  );
  const up = await inTurns(
    5,
    () => upload('up-ours.bin', fileBytes),
    () => rawExchange(`${yardstick.url}/up-theirs.bin`, { method: 'PUT', body: chunk, bodyBytes: fileBytes }),
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
      what: 'download of 1 GiB',
      ours: speed(fileBytes, down.oursMs),
      yardstick: `${speed(fileBytes, down.yardstickMs)} ${yardstick.name}`,
      ratio: down.yardstickMs / down.oursMs,
      bar: '≥ 0.6',
    },
    {
      what: 'upload of 1 GiB',
      ours: speed(fileBytes, up.oursMs),
      yardstick: `${speed(fileBytes, up.yardstickMs)} ${yardstick.name}`,
      ratio: up.yardstickMs / up.oursMs,
      bar: '≥ 0.8',
    },
    { what: 'memory before transfers', ours: asMiB(idle), yardstick: '' },
    {
      what: 'memory peak, download of 2 GiB',
      ours: asMiB(downPeak),
      yardstick: `${asMiB(smallPeak)} with 64 MiB`,
      ratio: downPeak / smallPeak,
      bar: `≤ ${flatMargin}`,
    },
    {
      what: 'memory peak, upload of 2 GiB',
      ours: asMiB(upPeak),
      yardstick: `${asMiB(smallPeak)} with 64 MiB`,
      ratio: upPeak / smallPeak,
      bar: `≤ ${flatMargin}`,
    },
  ];
}
