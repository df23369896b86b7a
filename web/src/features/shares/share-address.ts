import { getPublicDownload, getPublicPreview, getPublicSubtitle } from '@filestead/contract/shares';
import type { PreviewSize } from '@filestead/contract/previews';
import {
  nameOf,
  encodePath,
  parseEncodedPath,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { urlOf } from '../../api/call.ts';
import { absoluteUrl } from '../../api/public-share.ts';

const prefix = '/share/';

/** The subject of a public page: a share and a path in it. */
export interface PublicLocation {
  readonly hash: string;
  /** Relative to the share. */
  readonly path: VirtualPath;
}

/** Returns the address of a public page below the router's base; folders end in a slash. */
export const publicAddress = ({ hash, path }: PublicLocation, isFolder: boolean): string =>
  `${prefix}${encodeURIComponent(hash)}${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;

/** Parses the address of a public page; null if it is invalid, for example without a hash. */
export function publicLocationOf(pathname: string): PublicLocation | null {
  if (!pathname.startsWith(prefix)) return null;
  const [encodedHash = '', ...rest] = pathname.slice(prefix.length).split('/');
  try {
    const hash = decodeURIComponent(encodedHash);
    return hash === '' || hash.includes('/')
      ? null
      : { hash, path: parseEncodedPath(`/${rest.join('/')}`).path };
  } catch {
    return null;
  }
}

/** Returns the direct download address of a share. Protected shares have none. */
export function directDownloadUrl({ hash, path }: { hash: string; path: string }): string {
  const isFolder = path.endsWith('/');
  const name = nameOf(parsePath(path).path);
  // Any name may follow the hash of a file; download programs save the file under that name.
  return absoluteUrl(downloadAddress({ hash, path: (isFolder ? '/' : `/${name}`) as VirtualPath }));
}

export interface DownloadOptions {
  /** The token of a protected share. */
  readonly token?: string | undefined;
  readonly isInline?: boolean | undefined;
  /** Names in the folder; several, and folders, are sent as an archive. */
  readonly names?: readonly string[] | undefined;
  /** The archive format. Default: zip. */
  readonly format?: string | undefined;
  /** A cache key that changes with the content. */
  readonly key?: number | undefined;
}

/** Returns the download address of a file, or of an archive of a folder. */
export function downloadAddress({ hash, path }: PublicLocation, options: DownloadOptions = {}): string {
  const { token, isInline, names, format, key } = options;
  const address = urlOf(getPublicDownload, {
    params: { hash },
    path,
    query: {
      token,
      inline: isInline ? 'true' : undefined,
      // The server splits the list at commas, then decodes each name a second time.
      files: names?.map(encodeURIComponent).join(','),
      algo: format,
    },
  });
  if (key === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}key=${key}`;
}

/** Returns {@link downloadAddress} with the origin. */
export const absoluteDownloadAddress = (location: PublicLocation, options?: DownloadOptions): string =>
  absoluteUrl(downloadAddress(location, options));

/** Returns the address of a subtitle file as WebVTT. */
export const subtitleAddress = (
  { hash, path }: PublicLocation,
  { token }: { token: string | undefined },
): string => urlOf(getPublicSubtitle, { params: { hash }, path, query: { token } });

/** Returns the address of a thumbnail or preview image. `key` changes with the content. */
export const previewAddress = (
  { hash, path }: PublicLocation,
  { size, token, key }: { size: PreviewSize; token: string | undefined; key: number },
): string =>
  urlOf(getPublicPreview, {
    params: { size, hash },
    path,
    query: { inline: 'true', token, key: String(key) },
  });
