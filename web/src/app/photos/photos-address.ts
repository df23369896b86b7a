import { encodePath, parseEncodedPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

const prefix = '/photos';

/** The address of the place Photos. */
export const photosAddress = prefix;

/** Returns the address of the photos that match `query`, and of one that is opened. */
export function photoAddress(file: VirtualPath | null, query = ''): string {
  const suffix = query === '' ? '' : `?${new URLSearchParams({ query }).toString()}`;
  return `${prefix}${file === null ? '' : encodePath(file)}${suffix}`;
}

/** Returns the photo that an address names; null for the place itself, undefined when it names none. */
export function openedPhotoOf(pathname: string): VirtualPath | null | undefined {
  try {
    const { path, isFolderPath } = parseEncodedPath(pathname.slice(prefix.length));
    if (path === '/') return null;
    return isFolderPath ? undefined : path;
  } catch {
    return undefined;
  }
}
