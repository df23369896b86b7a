import type { EntryType, Item } from '@filestead/contract/files';
import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/virtual-path';
import type { Entry } from '../storage/storage.ts';
import { formatModified } from './format-modified.ts';
import { modeBits } from './mode-bits.ts';

/** A path as the client wrote it: with the trailing slash that says it means a folder. */
export const echoOf = ({ path, isFolderPath }: RequestedPath): string =>
  isFolderPath && path !== '/' ? `${path}/` : path;

/** The time of an entry in Unix milliseconds. */
export const modifiedMsOf = (entry: Entry): number => Number(entry.modifiedNs / 1_000_000n);

/** A requested entry as the existing API shows it (§1.5), in its order of keys. The root has no name. */
export function presentEntry(requested: RequestedPath, entry: Entry, type: EntryType): Item {
  const name = nameOf(requested.path);
  return {
    path: echoOf(requested),
    name,
    size: entry.size,
    extension: extensionOf(name),
    modified: formatModified(modifiedMsOf(entry)),
    mode: modeBits(entry.mode),
    isDir: entry.kind === 'folder',
    isSymlink: entry.isSymlink,
    type,
  };
}
