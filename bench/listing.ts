import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { exchange, keepAlive } from './clients/http-client.ts';
import { inTurns, median, type Row, rowAgainst, rowWithin } from './measure.ts';

const run = promisify(execFile);
/** Limit of the time until the first byte of a listing, in milliseconds. */
const maxFirstByteMs = 200;
const sizes = [1_000, 10_000, 100_000];
const extensions = ['jpg', 'txt', 'mp4', 'pdf', 'json', 'zip', 'md', 'csv'];

/**
 * Creates a folder with `count` entries, 2 % of them folders. Files are small, because only names and metadata are
 * listed.
 */
export async function makeFolder(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const folders = Math.floor(count / 50);
  for (let i = 0; i < count; i++) {
    if (i < folders) await mkdir(join(folder, `Album ${i}`));
    else await writeFile(join(folder, `IMG_${i} holiday.${extensions[i % extensions.length]}`), String(i));
  }
}

/** Measures listing 1,000, 10,000 and 100,000 entries against `find -printf` of the same folder. */
export async function measureListing(product: Product, token: string, root: string): Promise<Row[]> {
  const rows: Row[] = [];
  const agent = keepAlive(1);
  for (const count of sizes) {
    const folder = join(root, `list-${count}`);
    await makeFolder(folder, count);
    const url = `${product.url}/api/resources/list-${count}/`;
    const find = async () => {
      await run('find', [folder, '-mindepth', '1', '-maxdepth', '1', '-printf', '%f %y %s %T@ %m\\n'], {
        maxBuffer: 256 * 1024 * 1024,
      });
    };
    for (const [name, accept] of [
      ['NDJSON', 'application/x-ndjson'],
      ['JSON', 'application/json'],
    ] as const) {
      const firstBytes: number[] = [];
      const list = async () => {
        const { firstByteMs } = await exchange(url, { 'X-Auth': token, Accept: accept }, agent);
        firstBytes.push(firstByteMs);
      };
      const { oursMs, referenceMs } = await inTurns(count > 50_000 ? 5 : 9, list, find);
      rows.push(
        rowAgainst(`list ${count.toLocaleString('en')} entries, ${name}`, oursMs, referenceMs, {
          note: 'find -printf',
          limit: '≤ 3',
        }),
        rowWithin(
          `first byte of ${count.toLocaleString('en')} entries, ${name}`,
          median(firstBytes),
          maxFirstByteMs,
        ),
      );
    }
  }
  agent.destroy();
  return rows;
}
