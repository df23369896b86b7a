import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Bytes of the small file. */
export const smallBytes = 4096;
/** Entries of the listed folder. */
export const listedEntries = 50;

/** Creates the files of the small requests: `small.bin`, the folder `requests`, `picture.jpg` and the empty folder `uploads`. */
export async function makeRequestFiles(root: string): Promise<{ remove(): Promise<void> }> {
  const list = join(root, 'requests');
  await mkdir(list);
  await mkdir(join(root, 'uploads'));
  await writeFile(join(root, 'small.bin'), Buffer.alloc(smallBytes, 'x'));
  for (let i = 0; i < listedEntries; i++) await writeFile(join(list, `IMG_${i} holiday.txt`), String(i));
  await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#39c' } })
    .jpeg()
    .toFile(join(root, 'picture.jpg'));
  return {
    async remove() {
      for (const name of ['requests', 'uploads', 'small.bin', 'picture.jpg'])
        await rm(join(root, name), { recursive: true, force: true });
    },
  };
}

/** Returns a function whose results begin with `prefix` and are never used twice. */
export const uniquePaths = (prefix: string): (() => string) => {
  const run = process.hrtime.bigint();
  let number = 0;
  return () => `${prefix}${run}-${number++}.bin`;
};
