import fs, { type Dirent } from 'node:fs';
import type { RawName } from './calls.ts';
import type { Folder } from './folder.ts';

/** One name of a folder, as the folder itself knows it: nothing was opened or looked at. */
export interface RawEntry {
  readonly name: RawName;
  readonly type: 'file' | 'folder' | 'link' | 'special';
}

/** So many names are handed out at once; keeps the event loop free in folders of any size. */
const chunkEntries = 256;

/** What stands in a decoded name for bytes that are no UTF-8. */
const replacement = '\uFFFD';

const typeOf = (dirent: Dirent | Dirent<Buffer>): RawEntry['type'] =>
  dirent.isDirectory() ? 'folder' : dirent.isFile() ? 'file' : dirent.isSymbolicLink() ? 'link' : 'special';

/** All names of `folder` in the order of the disk, in chunks. Names that are no UTF-8 come last, as bytes. */
export async function* readFolder(folder: Folder): AsyncGenerator<RawEntry[]> {
  let chunk: RawEntry[] = [];
  let isBroken = false;
  for await (const dirent of await fs.promises.opendir(folder.base, { bufferSize: chunkEntries })) {
    if (dirent.name.includes(replacement)) {
      isBroken = true;
      continue;
    }
    chunk.push({ name: dirent.name, type: typeOf(dirent) });
    if (chunk.length === chunkEntries) {
      yield chunk;
      chunk = [];
    }
  }
  if (isBroken) chunk.push(...(await readBrokenNames(folder)));
  if (chunk.length > 0) yield chunk;
}

/** The names of `folder` that cannot be told from their text alone, as bytes unless they are that very text. */
async function readBrokenNames(folder: Folder): Promise<RawEntry[]> {
  const dirents = await fs.promises.readdir(folder.base, { encoding: 'buffer', withFileTypes: true });
  const entries: RawEntry[] = [];
  for (const dirent of dirents) {
    const text = dirent.name.toString();
    if (!text.includes(replacement)) continue;
    entries.push({ name: Buffer.from(text).equals(dirent.name) ? text : dirent.name, type: typeOf(dirent) });
  }
  return entries;
}

/** A name as text; bytes that are no UTF-8 are replaced. */
export const textOf = (name: RawName): string => name.toString();
