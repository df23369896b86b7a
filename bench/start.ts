import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../e2e/support/product.ts';
import { asMiB, asMs, median, residentBytes, type Row } from './measure.ts';

const rounds = 7;
const limitMs = 300;
/** Limit of the resident memory after the start, in bytes. */
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

/** Measures the time from the spawn of the process to the first response, with an existing database. */
export async function measureStart(root: string): Promise<Row[]> {
  const data = await mkdtemp(join(tmpdir(), 'filestead-bench-data-'));
  const ours: number[] = [];
  const memory: number[] = [];
  const empty: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const product = await startProduct(root, { data });
    const resident = await residentBytes(product.pid);
    await product.stop();
    const node = await startEmptyNode();
    if (i === 0) continue;
    ours.push(product.startMs);
    memory.push(resident);
    empty.push(node);
  }
  await rm(data, { recursive: true, force: true });
  return [
    {
      measurement: 'start to first response',
      ours: asMs(median(ours)),
      reference: `300 ms (an empty Node process: ${asMs(median(empty))})`,
      ratio: median(ours) / limitMs,
      limit: '≤ 1',
    },
    {
      measurement: 'memory after the start',
      ours: asMiB(median(memory)),
      reference: asMiB(limitBytes),
      ratio: median(memory) / limitBytes,
      limit: '≤ 1',
    },
  ];
}
