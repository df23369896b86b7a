import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signInByApi, startProduct } from '../../e2e/support/product.ts';
import { median } from '../measure.ts';
import { kill, runJob } from './run-job.ts';

const files = 10_000;
const rounds = 5;

/** The medians of the times from the spawn of the process (milliseconds). */
export interface StartsAfterCrash {
  /** First response without new records, and with those of 10,000 deletions. */
  readonly plainMs: number;
  readonly recordsMs: number;
  /** The same, if the index has none of them: an older database is in use. */
  readonly unknownMs: number;
  /** First rows of the trash, when the index has none of the records. */
  readonly listedMs: number;
}

/** Measures a start on a copy of `data`, and the time until the trash returns its first rows; it must contain `expected` entries. */
async function measureStart(
  root: string,
  data: string,
  { password, expected }: { password: string; expected: number },
): Promise<{ startMs: number; listedMs: number }> {
  const copy = `${data}-copy`;
  await cp(data, copy, { recursive: true });
  const started = performance.now();
  const product = await startProduct(root, { data: copy, args: ['--catalogue', 'off'] });
  try {
    const token = await signInByApi(product, 'admin', password);
    const response = await fetch(`${product.url}/api/trash?limit=1`, { headers: { 'X-Auth': token } });
    const { total } = (await response.json()) as { total: number };
    const listedMs = performance.now() - started;
    if (total !== expected) throw new Error(`the trash has ${total} entries instead of ${expected}`);
    return { startMs: product.startMs, listedMs };
  } finally {
    await product.stop();
    await rm(copy, { recursive: true, force: true });
  }
}

/** Measures starts of the built product after it was killed right after a job of 10,000 deletions. */
export async function measureStartsAfterCrash(top: string): Promise<StartsAfterCrash> {
  const root = join(top, 'root');
  const data = join(top, 'data');
  const before = join(top, 'before');
  await mkdir(join(root, 'many'), { recursive: true });
  await mkdir(data);
  for (let index = 0; index < files; index++) await writeFile(join(root, 'many', `${index}.txt`), '');
  await writeFile(join(root, 'first.txt'), '');
  const first = await startProduct(root, { data, args: ['--catalogue', 'off'] });
  const { password } = first;
  const token = await signInByApi(first);
  await fetch(`${first.url}/api/resources/first.txt`, { method: 'DELETE', headers: { 'X-Auth': token } });
  await first.stop();
  // Started once more, so that it has read its own record.
  await (await startProduct(root, { data, args: ['--catalogue', 'off'] })).stop();
  await cp(data, before, { recursive: true });
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++)
    plain.push((await measureStart(root, before, { password, expected: 1 })).startMs);
  const second = await startProduct(root, { data, args: ['--catalogue', 'off'] });
  const items = Array.from({ length: files }, (_, index) => ({ from: `/many/${index}.txt` }));
  await runJob(second, await signInByApi(second, 'admin', password), { kind: 'delete', items });
  await kill(second);
  const known: number[] = [];
  const unknown: number[] = [];
  const listed: number[] = [];
  for (let round = 0; round < rounds; round++) {
    known.push((await measureStart(root, data, { password, expected: files + 1 })).startMs);
    const { startMs, listedMs } = await measureStart(root, before, { password, expected: files + 1 });
    unknown.push(startMs);
    listed.push(listedMs);
  }
  return {
    plainMs: median(plain),
    recordsMs: median(known),
    unknownMs: median(unknown),
    listedMs: median(listed),
  };
}
