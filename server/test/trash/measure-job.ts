// Measures a job that deletes 10,000 files on a server with and without the trash, and prints one line of JSON. Started by
// `npm run bench -- trash`. Usage: tsx measure-job.ts FOLDER (an empty folder on the disk to be measured)
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

const files = 10_000;
const rounds = 3;
const [top = ''] = process.argv.slice(2);

const start = (name: string, trash: 'on' | 'off'): Promise<TestApp> => {
  const root = join(top, name);
  fs.mkdirSync(root, { recursive: true });
  return startApp({ config: { root, data: join(top, `${name}-data`), trash, catalogue: 'off' } });
};

/** Deletes 10,000 new files by one job, and resolves to the time from its request to its end. */
async function measureRound(app: TestApp, token: string, folder: string): Promise<number> {
  fs.mkdirSync(join(app.root, folder));
  for (let index = 0; index < files; index++)
    fs.writeFileSync(join(app.root, folder, `${index}.txt`), String(index));
  const items = Array.from({ length: files }, (_, index) => ({ from: `/${folder}/${index}.txt` }));
  const started = performance.now();
  const response = await app.fetch('/api/jobs', { method: 'POST', token, json: { kind: 'delete', items } });
  const { id } = (await response.json()) as { id: string };
  for (;;) {
    const job = (await (await app.fetch(`/api/jobs/${id}`, { token })).json()) as {
      endedAt: number | null;
      items: { done: number };
    };
    if (job.endedAt === null) {
      await sleep(5);
      continue;
    }
    if (job.items.done !== files) throw new Error(`only ${job.items.done} files were deleted`);
    return performance.now() - started;
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const apps = [await start('on', 'on'), await start('off', 'off')] as const;
const [on, off] = apps;
try {
  const tokens = [await on.signIn('admin'), await off.signIn('admin')] as const;
  const kept: number[] = [];
  const permanent: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const removed = await measureRound(off, tokens[1], `many-${round}`);
    const trashed = await measureRound(on, tokens[0], `many-${round}`);
    if (round === 0) continue;
    permanent.push(removed);
    kept.push(trashed);
  }
  const result: JobMeasurements = { trashMs: median(kept), permanentMs: median(permanent) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  for (const app of apps) await app.close();
}
