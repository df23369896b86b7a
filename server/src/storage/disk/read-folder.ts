import fs, { type Dirent } from 'node:fs';
import type { Folder } from './paths/folder.ts';
import { isNotUtf8, toRawPath, withText } from './paths/raw-names.ts';

/** One name of a folder with its type, as the folder itself stores them: the entry was neither opened nor read. */
export interface RawEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
}

/** The number of names per chunk; keeps the event loop responsive in folders of any size. */
const chunkEntries = 256;

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

/** All names of `folder` in the order of the disk, in chunks. Names that are not UTF-8 come last. */
export async function* readFolder(folder: Folder): AsyncGenerator<RawEntry[]> {
  let chunk: RawEntry[] = [];
  let hasUndecodable = false;
  for await (const dirent of await fs.promises.opendir(toRawPath(folder.base), {
    bufferSize: chunkEntries,
  })) {
    if (isNotUtf8(dirent.name)) {
      hasUndecodable = true;
      continue;
    }
    chunk.push(entryOf(dirent));
    if (chunk.length === chunkEntries) {
      yield chunk;
      chunk = [];
    }
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
