import {
  encodePath,
  parseEncodedPath,
  parsePath,
  type RequestedPath,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { filePrefix } from '../../ui/navigation/file-address.ts';

/** Returns the address of the results of a search that is started in the folder `from`. */
export const startOfSearch = (query: string, from: VirtualPath): string =>
  `/search?${new URLSearchParams({ ...(query !== '' && { query }), ...(from !== '/' && { from }) }).toString()}`;

/** The address of the page of the user's own shares. */
export const sharesAddress = '/shared';

const archivePrefix = '/archive';

/** Returns the address of an entry inside an archive: its top folder by default. Folders end in a slash. */
export const archiveAddress = (
  archive: VirtualPath,
  inside: VirtualPath = rootPath,
  isFolder = true,
): string =>
  `${archivePrefix}${encodePath(archive)}${
    inside === '/' ? '' : `?${new URLSearchParams({ at: `${inside}${isFolder ? '/' : ''}` }).toString()}`
  }`;

/** An entry inside an archive. */
export interface ArchivePlace {
  readonly archive: VirtualPath;
  readonly inside: VirtualPath;
  readonly isFolder: boolean;
}

/** Returns the entry of an address of {@link archiveAddress}, or null for an invalid one. */
export function archivePlaceOf(pathname: string, search: string): ArchivePlace | null {
  const requested = pathBelow(archivePrefix, pathname);
  if (requested === null || requested.path === '/') return null;
  try {
    const { path, isFolderPath } = parsePath(new URLSearchParams(search).get('at') ?? '/');
    return { archive: requested.path, inside: path, isFolder: isFolderPath };
  } catch {
    return null;
  }
}

const spacePrefix = '/space';

/** Returns the address of the page that shows what fills a folder. */
export const spaceAddress = (folder: VirtualPath): string =>
  `${spacePrefix}${encodePath(folder)}${folder === '/' ? '' : '/'}`;

/** Returns the address of the trash with what was deleted below a folder. */
export const deletedAddress = (folder: VirtualPath): string =>
  `/trash${folder === '/' ? '' : `?${new URLSearchParams({ below: folder }).toString()}`}`;

/** Returns the address of the history of a folder. */
export const historyAddress = (folder: VirtualPath): string =>
  `/history${folder === '/' ? '' : `?${new URLSearchParams({ below: folder }).toString()}`}`;

/** Returns the address at which the history asks for the time to which a folder is rewound. */
export const rewindAddress = (folder: VirtualPath): string =>
  `/history?${new URLSearchParams({ ...(folder !== '/' && { below: folder }), rewind: '' }).toString()}`;

/** Returns the folder of an address of {@link spaceAddress}, or null for an invalid one. */
export const spacePathOf = (pathname: string): RequestedPath | null => pathBelow(spacePrefix, pathname);

const duplicatesPrefix = '/duplicates';

/** Returns the address of the page of files with equal contents below a folder. */
export const duplicatesAddress = (folder: VirtualPath): string =>
  `${duplicatesPrefix}${encodePath(folder)}${folder === '/' ? '' : '/'}`;

/** Returns the folder of an address of {@link duplicatesAddress}, or null for an invalid one. */
export const duplicatesPathOf = (pathname: string): RequestedPath | null =>
  pathBelow(duplicatesPrefix, pathname);

/** Returns the path for an address of the files screen, or null for an invalid one, such as one with `..` in it. */
export const pathOfAddress = (pathname: string): RequestedPath | null => pathBelow(filePrefix, pathname);

function pathBelow(base: string, pathname: string): RequestedPath | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  try {
    return parseEncodedPath(pathname.slice(base.length));
  } catch {
    return null;
  }
}
