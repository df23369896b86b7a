import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../e2e/support/product.ts';
import { asMiB, asMs, median, residentBytes, type Row, rowWithin } from './measure.ts';

const rounds = 7;
/** Time from the start until the process is idle, in milliseconds: the garbage of startup is collected after 10 s, and its pages are released after that. */
const restMs = 20_000;
/** Limit of the start, in milliseconds. */
const limitMs = 300;
/** Limit of the resident memory at rest, in bytes. */
const limitBytes = 90 * 1024 * 1024;

/** Measures the time of an empty Node process in milliseconds, a lower bound for any program on Node. */
function startEmptyNode(): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve(performance.now() - started));
  });
}

/** Measures the time from the spawn of the process to the first response, with an existing database, and the memory at rest. */
export async function measureStart(root: string): Promise<Row[]> {
  const data = await mkdtemp(join(tmpdir(), 'filestead-bench-data-'));
  const ours: number[] = [];
  let atRest = 0;
  const empty: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const product = await startProduct(root, { data });
    if (i === rounds) await sleep(restMs);
    atRest = await residentBytes(product.pid);
    await product.stop();
    const node = await startEmptyNode();
    if (i === 0) continue;
    ours.push(product.startMs);
    empty.push(node);
  }
  await rm(data, { recursive: true, force: true });
  return [
    rowWithin('start to first response', median(ours), limitMs, {
      note: `an empty Node process: ${asMs(median(empty))}`,
    }),
    rowWithin('memory at rest', atRest, limitBytes, { format: asMiB }),
  ];
}
