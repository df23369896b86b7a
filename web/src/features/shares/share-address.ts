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
import { withBase } from '../../api/urls.ts';

const prefix = '/share/';

/** Where a public page is about: a link, and what lies in it. */
export interface PublicPlace {
  readonly hash: string;
  /** From inside the link. */
  readonly path: VirtualPath;
}

/** The address of a public page below the router's base; folders end in a slash. */
export const publicAddress = ({ hash, path }: PublicPlace, isFolder: boolean): string =>
  `${prefix}${encodeURIComponent(hash)}${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;

/** What an address of a public page means, or null when it means nothing, such as one without a link. */
export function publicPlaceOf(pathname: string): PublicPlace | null {
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

/** An address of this server with its origin, to be given away. */
const whole = (address: string): string => new URL(address, window.location.origin).href;

/** What its owner gives to visitors. */
export const linkOf = (hash: string): string => whole(withBase(`/share/${encodeURIComponent(hash)}`));

/** The bytes behind a link, without its page. Protected links have none. */
export function directLinkOf({ hash, path }: { hash: string; path: string }): string {
  const isFolder = path.endsWith('/');
  const name = nameOf(parsePath(path).path);
  // Any name may follow the link of a file; programs that fetch it then save it under that name.
  return whole(downloadAddress({ hash, path: (isFolder ? '/' : `/${name}`) as VirtualPath }));
}

export interface DownloadOptions {
  /** Of a protected link. */
  readonly token?: string | undefined;
  readonly isInline?: boolean | undefined;
  /** Names in the folder; several, and folders, come as an archive. */
  readonly names?: readonly string[] | undefined;
  /** Of the archive; zip when left out. */
  readonly format?: string | undefined;
  /** Changes with the content, so that no older version is shown. */
  readonly key?: number | undefined;
}

/** The address of the bytes of a file, or of an archive of a folder. */
export function downloadAddress({ hash, path }: PublicPlace, options: DownloadOptions = {}): string {
  const { token, isInline, names, format, key } = options;
  const address = urlOf(getPublicDownload, {
    params: { hash },
    path,
    query: {
      token,
      inline: isInline ? 'true' : undefined,
      // The server splits the list at commas, then decodes each name once more.
      files: names?.map(encodeURIComponent).join(','),
      algo: format,
    },
  });
  if (key === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}key=${key}`;
}

/** {@link downloadAddress} as something to give away. */
export const wholeDownloadAddress = (place: PublicPlace, options?: DownloadOptions): string =>
  whole(downloadAddress(place, options));

/** The address of a subtitle file as WebVTT. */
export const subtitleAddress = (
  { hash, path }: PublicPlace,
  { token }: { token: string | undefined },
): string => urlOf(getPublicSubtitle, { params: { hash }, path, query: { token } });

/** The address of a small picture of a file. `key` changes with the content. */
export const previewAddress = (
  { hash, path }: PublicPlace,
  { size, token, key }: { size: PreviewSize; token: string | undefined; key: number },
): string =>
  urlOf(getPublicPreview, {
    params: { size, hash },
    path,
    query: { inline: 'true', token, key: String(key) },
  });
