import fs, { type Dirent } from 'node:fs';
import type { Folder } from '../disk/paths/folder.ts';
import { isNotUtf8, toRawPath } from '../disk/paths/raw-names.ts';

/** Entries read from the disk at once. */
const bufferSize = 256;

/** The entries of `folder`; null when it has more than `max`, or a name that is not UTF-8. Reads no more entries than necessary. */
export function readFewEntries(folder: Folder, max: number): Dirent[] | null {
  const opened = fs.opendirSync(toRawPath(folder.base), { bufferSize });
  try {
    const dirents: Dirent[] = [];
    for (let dirent = opened.readSync(); dirent !== null; dirent = opened.readSync()) {
      if (dirents.length === max || isNotUtf8(dirent.name)) return null;
      dirents.push(dirent);
    }
    return dirents;
  } finally {
    opened.closeSync();
  }
}
