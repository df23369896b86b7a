import { readdirSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { asMs, type Row, rowWithin } from '../measure.ts';
import { kill, type ListedJob } from './run-job.ts';

const kills = 20;
const filesPerFolder = 1_000;
/** The largest fraction of the files that may be copied more than once. */
const maxRepeated = 0.02;
/** Entries by which the reported progress may be lower after a restart. */
const maxStepBack = 1_000;

/** The inodes of all files below `folder`, by path; none if it does not exist. */
function inodesBelow(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (path: string, prefix: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) visit(inner, `${prefix}${entry.name}/`);
      else if (entry.name.endsWith('.txt')) found.set(`${prefix}${entry.name}`, statSync(inner).ino);
    }
  };
  visit(folder, '');
  return found;
}

/** The temporary folder of the unfinished copy, or the finished copy: the only folder in `root` besides the source; null before it exists. */
function copyIn(root: string): string | null {
  const name = readdirSync(root).find((each) => each !== 'source' && each !== '.filestead-trash');
  return name === undefined ? null : join(root, name);
}

/** Measures a job that copies a folder of `files` files on the built product, which is killed 20 times meanwhile. */
export async function measureKilledJob(top: string, files: number): Promise<Row[]> {
  const root = join(top, 'root');
  const data = join(top, 'data');
  await mkdir(data, { recursive: true });
  for (let first = 0; first < files; first += filesPerFolder) {
    const folder = join(root, 'source', String(first));
    await mkdir(folder, { recursive: true });
    for (let index = first; index < Math.min(first + filesPerFolder, files); index++)
      await writeFile(join(folder, `${index}.txt`), String(index));
  }
  const started = performance.now();
  const start = (): Promise<Product> => startProduct(root, { data, args: ['--catalogue', 'off'] });
  let product = await start();
  const { password } = product;
  let token = await signInByApi(product, 'admin', password);
  const headers = (): Record<string, string> => ({ 'X-Auth': token, 'Content-Type': 'application/json' });
  const body = JSON.stringify({ kind: 'copy', items: [{ from: '/source', to: '/copy' }] });
  const created = await fetch(`${product.url}/api/jobs`, { method: 'POST', headers: headers(), body });
  if (!created.ok) throw new Error(`the job was refused: ${created.status} ${await created.text()}`);
  const readJob = async (): Promise<ListedJob> => {
    const [job] = (await (
      await fetch(`${product.url}/api/jobs`, { headers: headers() })
    ).json()) as ListedJob[];
    if (job === undefined) throw new Error('the job is no longer in the list');
    return job;
  };
  /** The inodes of the copied files before the kills. */
  const copied = new Map<string, number>();
  let done = 0;
  let stepBack = 0;
  let killed = 0;
  try {
    for (;;) {
      const job = await readJob();
      stepBack = Math.max(stepBack, done - job.entries.done);
      ({ done } = job.entries);
      if (job.endedAt !== null) {
        if (job.state !== 'done' || job.items.failed > 0) throw new Error(`the job ended as ${job.state}`);
        break;
      }
      if (killed < kills && done >= ((killed + 1) * files) / (kills + 1)) {
        await kill(product);
        killed += 1;
        const folder = copyIn(root);
        if (folder !== null)
          for (const [path, inode] of inodesBelow(folder)) if (!copied.has(path)) copied.set(path, inode);
        product = await start();
        token = await signInByApi(product, 'admin', password);
        continue;
      }
      await sleep(5);
    }
  } finally {
    await product.stop();
  }
  const elapsedMs = performance.now() - started;
  const final = inodesBelow(join(root, 'copy'));
  if (final.size !== files) throw new Error(`the copy has ${final.size} of ${files} files`);
  const repeated = [...copied].filter(([path, inode]) => final.get(path) !== inode).length / files;
  await rm(root, { recursive: true, force: true });
  const asPercent = (part: number): string => `${(100 * part).toFixed(2)} %`;
  return [
    rowWithin(
      `jobs, a copy of ${files.toLocaleString('en')} files, killed ${killed} times: files copied again`,
      repeated,
      maxRepeated,
      { format: asPercent },
    ),
    {
      measurement: 'jobs, largest step back of its progress',
      ours: `${stepBack} entries (all took ${asMs(elapsedMs)})`,
      reference: `${maxStepBack} entries`,
      ratio: stepBack / maxStepBack,
      limit: '≤ 1',
    },
  ];
}
