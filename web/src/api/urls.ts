import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pageConfig } from './page-config.ts';

/** Returns the URL of a path of this server, including the base URL. */
export const withBase = (path: `/${string}`): string => `${pageConfig.BaseURL}${path}`;

export interface RawUrlOptions {
  /** Display in the page instead of saving. */
  inline?: boolean | undefined;
  /** Names in the folder `path`; several are sent as an archive. */
  files?: readonly string[] | undefined;
  /** A cache key that changes with the content, such as the modification time. */
  key?: string | number | undefined;
}

/** Returns the download address of a file. It contains no token: the session cookie is sent with the request. */
export function rawUrl(path: VirtualPath, { inline, files, key }: RawUrlOptions = {}): string {
  const query = new URLSearchParams();
  if (inline) query.set('inline', 'true');
  // The server splits the list at commas, then decodes each name a second time.
  if (files && files.length > 0) query.set('files', files.map(encodeURIComponent).join(','));
  if (key !== undefined) query.set('key', String(key));
  const search = query.toString();
  return `${withBase(`/api/raw${encodePath(path)}`)}${search && `?${search}`}`;
}
