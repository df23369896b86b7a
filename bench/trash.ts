import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Row } from './measure.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../server/test/trash/measure-trash.ts');

/** A deletion may take this time (milliseconds), whatever the folder contains. */
const maxFolderMs = 100;
/** The number of flushes that 10,000 deletions of one job may need. */
const maxFlushes = 25;

const asMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

/** Measures moving entries to the trash on the disk storage, without HTTP, against unlinking them. */
export async function measureTrash(root: string): Promise<Row[]> {
  const folder = join(root, 'trash');
  await mkdir(folder);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', script, folder]);
  await rm(folder, { recursive: true });
  const measured = JSON.parse(stdout) as Record<
    'folderMs' | 'renameMs' | 'jobMs' | 'singlyMs' | 'removeMs' | 'jobFlushes',
    number
  >;
  const { folderMs, renameMs, jobMs, singlyMs, removeMs, jobFlushes } = measured;
  return [
    {
      measurement: 'trash, a folder of 200,000 files',
      ours: asMs(folderMs),
      reference: `${asMs(maxFolderMs)} (bare rename ${asMs(renameMs)})`,
      ratio: folderMs / maxFolderMs,
      limit: '≤ 1',
    },
    {
      measurement: 'trash, 10,000 files by one job, processor time',
      ours: asMs(jobMs),
      reference: `${asMs(removeMs)} unlinking`,
      ratio: jobMs / removeMs,
      limit: '≤ 1.5',
    },
    {
      measurement: 'trash, flushes of that job',
      ours: String(jobFlushes),
      reference: String(maxFlushes),
      ratio: jobFlushes / maxFlushes,
      limit: '≤ 1',
    },
    {
      measurement: 'trash, 10,000 files one by one, processor time',
      ours: asMs(singlyMs),
      reference: `${asMs(removeMs)} unlinking`,
    },
  ];
}
