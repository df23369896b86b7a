import fs, { type Dir, type Dirent } from 'node:fs';
import type { Folder } from './paths/folder.ts';
import { isNotUtf8, toRawPath, withText } from './paths/raw-names.ts';

/** One name of a folder with its type, as the folder itself stores them: the entry was neither opened nor read. */
export interface RawEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
}

/** The approximate number of names of a chunk; keeps the event loop responsive in folders of any size. */
const chunkSize = 256;
/** The number of names that a thread reads at once. Most folders are read in one step. */
const bufferSize = 1_024;

function entryOf(dirent: Dirent): RawEntry {
  const { name } = dirent;
  if (dirent.isDirectory()) return { name, type: 'folder' };
  if (dirent.isFile()) return { name, type: 'file' };
  return { name, type: dirent.isSymbolicLink() ? 'link' : 'special' };
}

/**
 * Reads the next entries of a folder, {@link chunkSize} of them or all that are left, without blocking. Callbacks cost half as much as a
 * promise for each entry; reading the buffer synchronously would cost less, but block for as long as a slow disk needs to report the end.
 */
const readBuffer = (folder: Dir): Promise<Dirent[]> =>
  new Promise((resolve, reject) => {
    const dirents: Dirent[] = [];
    const take = (error: Error | null, dirent: Dirent | null): void => {
      if (error !== null) reject(error);
      else if (dirent === null || dirents.push(dirent) === chunkSize) resolve(dirents);
      else folder.read(take);
    };
    folder.read(take);
  });

/** Yields the entries of a folder, buffer by buffer, and closes it. */
async function* readBuffers(folder: Dir): AsyncGenerator<Dirent[]> {
  try {
    for (;;) {
      const dirents = await readBuffer(folder);
      yield dirents;
      if (dirents.length < chunkSize) return;
    }
  } finally {
    await folder.close();
  }
}

/** All names of `folder` in the order of the disk, in chunks. Names that are not UTF-8 come last. */
export async function* readFolder(folder: Folder): AsyncGenerator<RawEntry[]> {
  let chunk: RawEntry[] = [];
  let hasUndecodable = false;
  const opened = await fs.promises.opendir(toRawPath(folder.base), { bufferSize });
  for await (const dirents of readBuffers(opened)) {
    for (const dirent of dirents) {
      if (isNotUtf8(dirent.name)) hasUndecodable = true;
      else chunk.push(entryOf(dirent));
    }
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = [];
  }
  if (hasUndecodable) {
    const options = { encoding: 'buffer', withFileTypes: true } as const;
    const dirents = await fs.promises.readdir(toRawPath(folder.base), options);
    chunk.push(
      ...dirents
        .filter(({ name }) => isNotUtf8(name.toString()))
        .map(withText)
        .map(entryOf),
    );
  }
  if (chunk.length > 0) yield chunk;
}

/** The entries of `folder` whose names Node cannot decode, with their names read as bytes. */
export const readUndecodable = (folder: Folder): Dirent[] =>
  fs
    .readdirSync(toRawPath(folder.base), { encoding: 'buffer', withFileTypes: true })
    .filter(({ name }) => isNotUtf8(name.toString()))
    .map(withText);

/** All entries of `folder`, in the order in which the operating system returns them. */
export function readEntries(folder: Folder): Dirent[] {
  const base = toRawPath(folder.base);
  const dirents = fs.readdirSync(base, { withFileTypes: true });
  if (!dirents.some(({ name }) => isNotUtf8(name))) return dirents;
  return fs.readdirSync(base, { encoding: 'buffer', withFileTypes: true }).map(withText);
}
