import type { EntryType, Item } from '@filestead/contract/files';
import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/paths/virtual-path';
import type { Entry } from '../../storage/storage.ts';
import { formatModified } from './format-modified.ts';
import { modeBits } from './mode-bits.ts';

/** How a file or folder appears to somebody who knows it by another path or name than the storage does. */
export interface Appearance {
  /** The name of the root of the storage; empty when left out. */
  readonly rootName?: string;
  /** What the answer says as `path` instead of the requested one. Then nothing beside the file is told of. */
  readonly shownPath?: string;
  /** What the answer says as `token`, at its end. */
  readonly token?: string;
  /** What the answer says as `expire`, at its end. */
  readonly expire?: number;
}

/** What stands at the end of an answer, as far as there is any. */
export const endOf = ({ token, expire }: Appearance): { token?: string; expire?: number } => ({
  ...(token === undefined ? {} : { token }),
  ...(expire === undefined ? {} : { expire }),
});

/** A path as the client wrote it: with the trailing slash that says it means a folder. */
const echoOf = ({ path, isFolderPath }: RequestedPath): string =>
  isFolderPath && path !== '/' ? `${path}/` : path;

/** The time of an entry in Unix milliseconds. */
export const modifiedMsOf = (entry: Entry): number => Number(entry.modifiedNs / 1_000_000n);

/** The path of what was requested, as the answer says it. */
export const shownPathOf = (requested: RequestedPath, { shownPath }: Appearance): string =>
  shownPath ?? echoOf(requested);
/** The name of what was requested; the top has none of its own. */
export const shownNameOf = ({ path }: RequestedPath, { rootName = '' }: Appearance): string =>
  path === '/' ? rootName : nameOf(path);

/** A requested entry as the existing API shows it (§1.5), in its order of keys. */
export function presentEntry(
  requested: RequestedPath,
  entry: Entry,
  type: EntryType,
  appearance: Appearance = {},
): Item {
  const name = shownNameOf(requested, appearance);
  return {
    path: shownPathOf(requested, appearance),
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
