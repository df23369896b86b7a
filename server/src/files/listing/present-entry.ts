import type { EntryType, Item } from '@filestead/contract/files';
import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/paths/virtual-path';
import type { Entry } from '../../storage/storage.ts';
import { formatModified } from '../../format-time.ts';
import { modeBits } from './mode-bits.ts';

/** The path and name under which a visitor sees a file or folder, where they differ from those in the storage. */
export interface Appearance {
  /** The name of the root of the storage; empty when omitted. */
  readonly rootName?: string;
  /** The `path` of the response instead of the requested one. When set, subtitles beside the file are not listed. */
  readonly shownPath?: string;
  /** The `version` of a listing as rows, for `GET /api/live`. */
  readonly version?: string;
  /** The `token` at the end of the response. */
  readonly token?: string;
  /** The `expire` at the end of the response. */
  readonly expire?: number;
}

/** Returns the optional properties at the end of a response. */
export const trailingProperties = ({ token, expire }: Appearance): { token?: string; expire?: number } => ({
  ...(token === undefined ? {} : { token }),
  ...(expire === undefined ? {} : { expire }),
});

/** Returns a path as the client sent it, with the trailing slash of a folder path. */
const echoOf = ({ path, isFolderPath }: RequestedPath): string =>
  isFolderPath && path !== '/' ? `${path}/` : path;

/** Returns the modification time of an entry in Unix milliseconds. */
export const modifiedMsOf = (entry: Entry): number => Number(entry.modifiedNs / 1_000_000n);

/** Returns the `path` of the response. */
export const responsePathOf = (requested: RequestedPath, { shownPath }: Appearance): string =>
  shownPath ?? echoOf(requested);

/** Returns the `name` of the response. That of the root is configurable. */
export const responseNameOf = ({ path }: RequestedPath, { rootName = '' }: Appearance): string =>
  path === '/' ? rootName : nameOf(path);

/** Returns an entry as File Browser’s API represents it (docs/reference/filebrowser-api.md §1.5), with the keys in its order. */
export function presentEntry(
  requested: RequestedPath,
  entry: Entry,
  type: EntryType,
  appearance: Appearance = {},
): Item {
  const name = responseNameOf(requested, appearance);
  return {
    path: responsePathOf(requested, appearance),
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
