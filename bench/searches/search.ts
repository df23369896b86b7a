import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../../e2e/support/product.ts';
import { exchange, keepAlive } from '../clients/http-client.ts';
import { inTurns, type Row, rowAgainst } from '../measure.ts';

const run = promisify(execFile);
const folders = 1_000;
const filesPerFolder = 199;

/** Measures searching 200,000 entries by name against `find -iname` of the same warm tree. */
export async function measureSearch(product: Product, token: string, root: string): Promise<Row[]> {
  const top = join(root, 'searched');
  for (let i = 0; i < folders; i++) {
    const folder = join(top, `Year ${Math.floor(i / 50)}`, `Album ${i}`);
    await mkdir(folder, { recursive: true });
    const files = Array.from({ length: filesPerFolder }, (_, j) => `IMG_${i}_${j} holiday.jpg`);
    await Promise.all(files.map((name) => writeFile(join(folder, name), '')));
  }
  const agent = keepAlive(1);
  const { oursMs, referenceMs } = await inTurns(
    5,
    async () => {
      await exchange(`${product.url}/api/search/searched/?query=_77_`, { 'X-Auth': token }, agent);
    },
    async () => {
      await run('find', [top, '-iname', '*_77_*'], { maxBuffer: 64 * 1024 * 1024 });
    },
  );
  agent.destroy();
  await rm(top, { recursive: true });
  return [
    rowAgainst('search of 200,000 entries', oursMs, referenceMs, { note: 'find -iname', limit: '≤ 2' }),
  ];
}
