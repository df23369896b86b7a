import {
  archiveFormatNames,
  archiveFormats,
  type ArchiveFormat,
} from '@filestead/contract/values/archive-formats';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createPublicArchive, getPublicArchive } from '@filestead/contract/shares';
import { call, urlOf } from '../../../api/call.ts';
import { followDownload } from '../../../ui/follow-download.ts';
import type { PublicEntry } from './open-public.ts';
import { downloadAddress } from '../share-address.ts';

/** The archive formats that are offered, the usual one first (docs/reference/behaviour.md §2). */
export const offeredFormats: readonly ArchiveFormat[] = archiveFormats.filter(
  (format) => format !== 'tarzst' && format !== 'tarbr',
);

/** The extension of an archive format without the dot, used as its name in menus. */
export const formatName = (format: ArchiveFormat): string => archiveFormatNames[format].extension.slice(1);

/** Servers and proxies accept addresses up to about 8 KB (nginx, `large_client_header_buffers`). */
const maxAddressLength = 7500;

/**
 * Returns the download address of the selection in `entry`, or of the whole entry without one. Null if the names do not
 * fit into an address.
 */
export function downloadAddressOf(
  entry: PublicEntry,
  selected: ReadonlySet<VirtualPath>,
  format?: ArchiveFormat,
): string | null {
  const { hash, token, items } = entry;
  const [only] = selected;
  const isAll = selected.size === 0 || (entry.isFolder && selected.size === items.length);
  if (!entry.isFolder) return downloadAddress({ hash, path: entry.path }, { token });
  if (isAll || only === undefined) return downloadAddress({ hash, path: entry.path }, { token, format });
  if (selected.size === 1) {
    const isFolder = items.some((item) => item.path === only && item.isFolder);
    return downloadAddress({ hash, path: only }, { token, format: isFolder ? format : undefined });
  }
  const address = downloadAddress(
    { hash, path: parentOf(only) },
    { token, format, names: [...selected].map(nameOf) },
  );
  return address.length > maxAddressLength ? null : address;
}

/** Downloads the selection in `entry`, or the whole entry without one. Throws `ApiError`. */
export async function downloadSelected(
  entry: PublicEntry,
  selected: ReadonlySet<VirtualPath>,
): Promise<void> {
  const address = downloadAddressOf(entry, selected);
  followDownload(address ?? (await requestArchive(entry, selected)));
}

/** Requests a ticket for a selection of any length; the returned address is valid for one download. */
async function requestArchive(
  { hash, token }: PublicEntry,
  selected: ReadonlySet<VirtualPath>,
): Promise<string> {
  const { ticket } = await call(createPublicArchive, {
    params: { hash },
    query: { token },
    body: { paths: [...selected] },
  });
  return urlOf(getPublicArchive, { params: { hash, ticket }, query: { token } });
}
