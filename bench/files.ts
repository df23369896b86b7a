import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The content of files, repeated. */
export const chunk = Buffer.alloc(1024 * 1024, 'filestead');
const filesAtOnce = 500;

/** Creates a file of {@link chunk} and waits until it is flushed to the disk. */
export async function makeFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  for (let written = 0; written < bytes; written += chunk.length) await file.write(chunk);
  await file.sync();
  await file.close();
}

/** Creates a sparse file, and its folder. */
export async function makeSparse(path: string, bytes: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
}

/** Creates `count` files, `file N.txt`, in a folder. */
export async function makeFiles(folder: string, count: number, content = 'x'): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let first = 0; first < count; first += filesAtOnce) {
    const length = Math.min(filesAtOnce, count - first);
    await Promise.all(
      Array.from({ length }, (_, index) => writeFile(join(folder, `file ${first + index}.txt`), content)),
    );
  }
}

/** Creates `count` files in folders of 1,000 files each. */
export async function makeTree(folder: string, count: number, content = 'x'): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let first = 0; first < count; first += 1_000)
    await makeFiles(join(folder, `Folder ${first}`), Math.min(1_000, count - first), content);
}
