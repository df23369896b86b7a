// Measures a job that deletes 10,000 files on a server with and without the trash, and prints one line of JSON. Started by
// `npm run bench -- trash`. Usage: tsx measure-job.ts FOLDER [FILES] (an empty folder on the disk to be measured)
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../start-app.ts';

/** The medians of the rounds by clock, in milliseconds. */
interface JobMeasurements {
  readonly trashMs: number;
  /** The same job on a server that is started with `--trash off`. */
  readonly permanentMs: number;
}

const [top = '', fileText = '10000'] = process.argv.slice(2);
const files = Number(fileText);
const rounds = 3;

interface ListedJob {
  readonly id: string;
  readonly endedAt: number | null;
  readonly items: { readonly done: number };
}

interface Server {
  readonly app: TestApp;
  readonly root: string;
  readonly token: string;
}

async function start(trash: 'on' | 'off'): Promise<Server> {
  const root = join(top, trash);
  fs.mkdirSync(root, { recursive: true });
  const app = await startApp({ config: { root, data: join(top, `${trash}-data`), trash, catalogue: 'off' } });
  return { app, root, token: await app.signIn('admin') };
}

/** Deletes 10,000 new files by one job, and resolves to the time from its request to its end. */
async function measureRound({ app, root, token }: Server, folder: string): Promise<number> {
  fs.mkdirSync(join(root, folder));
  for (let index = 0; index < files; index++)
    fs.writeFileSync(join(root, folder, `${index}.txt`), String(index));
  const items = Array.from({ length: files }, (_, index) => ({ from: `/${folder}/${index}.txt` }));
  const started = performance.now();
  const response = await app.fetch('/api/jobs', { method: 'POST', token, json: { kind: 'delete', items } });
  const { id } = (await response.json()) as { id: string };
  for (;;) {
    // The list has no results, so that asking costs little.
    const jobs = (await (await app.fetch('/api/jobs', { token })).json()) as ListedJob[];
    const job = jobs.find((listed) => listed.id === id);
    if (job === undefined || job.endedAt === null) {
      await sleep(50);
      continue;
    }
    if (job.items.done !== files) throw new Error(`only ${job.items.done} files were deleted`);
    return performance.now() - started;
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const [on, off] = [await start('on'), await start('off')];
try {
  const kept: number[] = [];
  const permanent: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const removed = await measureRound(off, `many-${round}`);
    const trashed = await measureRound(on, `many-${round}`);
    if (round === 0) continue;
    permanent.push(removed);
    kept.push(trashed);
  }
  const result: JobMeasurements = { trashMs: median(kept), permanentMs: median(permanent) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await on.app.close();
  await off.app.close();
}
