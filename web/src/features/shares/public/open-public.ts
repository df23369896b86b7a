import type { EntryType, ListingHeader, ListingRow, Resource } from '@filestead/contract/files';
import { getPublicShare } from '@filestead/contract/shares';
import { childOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { jsonOf, send } from '../../../api/call.ts';
import { readListing } from '../../../api/streams/stream-listing.ts';
import type { PublicLocation } from '../share-address.ts';

/** One entry as shown to visitors. */
export interface PublicItem {
  readonly name: string;
  /** Relative to the share; for a share of a single file `/` and its name. */
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  readonly type: EntryType;
  /** In bytes; meaningless for folders. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

/** Whether an item has a picture: of itself, or of a video. */
export const hasPicture = ({ type, size }: PublicItem): boolean =>
  size > 0 && (type === 'image' || type === 'video');

/** The entry that a public page shows. */
export interface PublicEntry extends PublicItem {
  readonly hash: string;
  /** Whether it is the shared entry itself. */
  readonly isShareRoot: boolean;
  /** The entries of a folder: folders first, by name. */
  readonly items: readonly PublicItem[];
  /** The subtitle files of a video. */
  readonly subtitles: readonly VirtualPath[];
  /** Grants access to a protected share for some hours. */
  readonly token: string | undefined;
  /** The expiry of the share, in Unix milliseconds; null if never. */
  readonly endsMs: number | null;
}

/** The credentials for a protected share. */
export interface ShareCredentials {
  readonly password?: string | undefined;
  readonly token?: string | undefined;
}

/** Fetches an entry of a share. Throws {@link ApiError}; `password_required` without valid credentials. */
export async function openPublic(
  { hash, path }: PublicLocation,
  { password, token }: ShareCredentials,
  signal: AbortSignal,
): Promise<PublicEntry> {
  const response = await send(getPublicShare, {
    params: { hash },
    path,
    query: { token },
    headers: {
      Accept: 'application/x-ndjson, application/json',
      ...(password !== undefined && { 'X-SHARE-PASSWORD': encodeURIComponent(password) }),
    },
    signal,
  });
  if (response.headers.get('Content-Type')?.startsWith('application/x-ndjson') && response.body) {
    const rows: ListingRow[] = [];
    const { header } = await readListing(response.body, {
      signal,
      onHeader: () => undefined,
      onRows: (more) => {
        for (const row of more) rows.push(row);
      },
    });
    return folderOf(hash, path, header, rows);
  }
  return fileOf(hash, (await jsonOf(response, signal)) as Resource);
}

const endOf = (seconds: number | undefined): number | null => (seconds === undefined ? null : seconds * 1000);

function folderOf(
  hash: string,
  path: VirtualPath,
  header: ListingHeader,
  rows: readonly ListingRow[],
): PublicEntry {
  return {
    hash,
    name: header.name,
    path,
    isFolder: true,
    isShareRoot: path === '/',
    type: '',
    size: 0,
    modifiedMs: Date.parse(header.modified),
    items: rows.map(([name, size, modifiedMs, type]) => {
      const itemType = header.types[type] ?? 'blob';
      return { name, path: childOf(path, name), isFolder: itemType === '', type: itemType, size, modifiedMs };
    }),
    subtitles: [],
    token: header.token,
    endsMs: endOf(header.expire),
  };
}

function fileOf(hash: string, resource: Resource): PublicEntry {
  return {
    hash,
    name: resource.name,
    // A share of a single file has no path of its own; any name may follow the hash.
    path: virtualPath(resource.path === '' ? `/${resource.name}` : resource.path),
    isFolder: false,
    isShareRoot: resource.path === '',
    type: resource.type,
    size: resource.size,
    modifiedMs: Date.parse(resource.modified),
    items: [],
    subtitles: (resource.subtitles ?? []).map(virtualPath),
    token: resource.token,
    endsMs: endOf(resource.expire),
  };
}
