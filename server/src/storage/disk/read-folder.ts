import fs, { type Dir, type Dirent } from 'node:fs';
import type { Folder } from './paths/folder.ts';
import { isNotUtf8, toRawPath, withText } from './paths/raw-names.ts';

/** One name of a folder with its type, as the folder itself stores them: the entry was neither opened nor read. */
export interface RawEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
}

/** The number of names that are read at once, and about that of a chunk; keeps the event loop responsive in folders of any size. */
const bufferSize = 256;

const entryOf = (dirent: Dirent): RawEntry => ({
  name: dirent.name,
  type: dirent.isDirectory()
    ? 'folder'
    : dirent.isFile()
      ? 'file'
      : dirent.isSymbolicLink()
        ? 'link'
        : 'special',
});

/**
 * Yields the entries of a folder, buffer by buffer. A buffer is read without blocking, and all of its entries are taken at once:
 * a promise for each one costs more than the name.
 */
async function* readBuffers(folder: Dir): AsyncGenerator<Dirent[]> {
  try {
    for (;;) {
      const dirents: Dirent[] = [];
      // At the end of the folder, where the buffer is not full, the last call asks the operating system and learns that.
      for (let next = await folder.read(); next !== null; next = folder.readSync()) {
        dirents.push(next);
        if (dirents.length === bufferSize) break;
      }
      if (dirents.length === 0) return;
      yield dirents;
    }
  } finally {
    await folder.close();
  }
}

/** All names of `folder` in the order of the disk, in chunks. Names that are not UTF-8 come last. */
export async function* readFolder(folder: Folder): AsyncGenerator<RawEntry[]> {
  let chunk: RawEntry[] = [];
  let hasUndecodable = false;
  for await (const dirents of readBuffers(
    await fs.promises.opendir(toRawPath(folder.base), { bufferSize }),
  )) {
    for (const dirent of dirents) {
      if (isNotUtf8(dirent.name)) hasUndecodable = true;
      else chunk.push(entryOf(dirent));
    }
    if (chunk.length < bufferSize) continue;
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
