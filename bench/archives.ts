import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '../e2e/support/product.ts';
import { chunk, makeFile } from './files.ts';
import { inTurns, type Row } from './measure.ts';
import { rawExchange } from './clients/raw-client.ts';
import { speed } from './transfers.ts';

const run = promisify(execFile);
const largeBytes = 512 * 1024 * 1024;

/** Creates four files of half a GiB, the size of films. Returns their total size in bytes. */
async function makeLargeFiles(folder: string): Promise<number> {
  await mkdir(folder);
  for (let i = 0; i < 4; i++) await makeFile(join(folder, `film ${i}.mkv`), largeBytes);
  return 4 * largeBytes;
}

/** Creates 9,000 files of 4 to 100 KiB, the size of documents and photographs, in 90 folders. Returns their total size in bytes. */
async function makeManyFiles(folder: string): Promise<number> {
  let bytes = 0;
  for (let i = 0; i < 90; i++) {
    const inner = join(folder, `Album ${i}`);
    await mkdir(inner, { recursive: true });
    for (let j = 0; j < 100; j++) {
      const size = 4096 + ((i * 100 + j) % 25) * 4096;
      bytes += size;
      await writeFile(join(inner, `IMG_${j}.jpg`), chunk.subarray(0, size));
    }
  }
  return bytes;
}

/** Measures streaming a folder as tar and as zip against `tar cf - | cat` of the same warm tree. */
export async function measureArchives(product: Product, token: string, root: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, content, make] of [
    ['large', '4 files of 512 MiB', makeLargeFiles],
    ['many', '9,000 files of 4 to 100 KiB', makeManyFiles],
  ] as const) {
    const folder = join(root, `archive-${name}`);
    const bytes = await make(folder);
    const tar = async () => {
      await run('sh', ['-c', 'tar cf - "$1" | cat > /dev/null', 'sh', `archive-${name}`], { cwd: root });
    };
    for (const format of ['tar', 'zip']) {
      const { oursMs, referenceMs } = await inTurns(
        5,
        () =>
          rawExchange(`${product.url}/api/raw/archive-${name}/?algo=${format}`, {
            headers: { 'X-Auth': token },
          }),
        tar,
      );
      rows.push({
        measurement: `${format} of ${content}`,
        ours: speed(bytes, oursMs),
        reference: `${speed(bytes, referenceMs)} tar cf - \\| cat`,
        ratio: referenceMs / oursMs,
        limit: '≥ 0.7',
      });
    }
    await rm(folder, { recursive: true });
  }
  return rows;
}
