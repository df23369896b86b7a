import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pageConfig } from './page-config.ts';

/** A path of this server as a URL, below the base URL it is served from. */
export const withBase = (path: `/${string}`): string => `${pageConfig.BaseURL}${path}`;

export interface RawUrlOptions {
  /** Show it in the page instead of saving it. */
  inline?: boolean | undefined;
  /** Names in the folder `path`; several come as an archive. */
  files?: readonly string[] | undefined;
  /** Changes with the content, so that a cached old version is not shown: the modification time. */
  key?: string | number | undefined;
}

/** The address of a file's bytes. It holds no token: the session's cookie goes with the request. */
export function rawUrl(path: VirtualPath, { inline, files, key }: RawUrlOptions = {}): string {
  const query = new URLSearchParams();
  if (inline) query.set('inline', 'true');
  // The server splits the list at commas, then decodes each name once more.
  if (files && files.length > 0) query.set('files', files.map(encodeURIComponent).join(','));
  if (key !== undefined) query.set('key', String(key));
  const search = query.toString();
  return `${withBase(`/api/raw${encodePath(path)}`)}${search && `?${search}`}`;
}
