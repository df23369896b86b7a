import { archiveFormatNames, archiveFormats, type ArchiveFormat } from '@filestead/contract/archives';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createPublicArchive, getPublicArchive } from '@filestead/contract/shares';
import { call, urlOf } from '../../../api/call.ts';
import type { PublicEntry } from './open-public.ts';
import { downloadAddress } from '../share-address.ts';

/** The formats that are offered, the usual one first (docs/reference/behaviour.md §2). */
export const offeredFormats: readonly ArchiveFormat[] = archiveFormats.filter(
  (format) => format !== 'tarzst' && format !== 'tarbr',
);

/** What an archive of a format ends with, without the dot, as its name in menus. */
export const formatName = (format: ArchiveFormat): string => archiveFormatNames[format].extension.slice(1);

/** Servers and what stands before them take addresses up to about 8 KB (nginx, `large_client_header_buffers`). */
const longestAddress = 7500;

/**
 * Where to download what is selected in `entry`, or all of it when nothing is. Null when so many names do not fit into
 * an address.
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
  return address.length > longestAddress ? null : address;
}

/** Saves what is selected in `entry`, or all of it when nothing is. Throws `ApiError`. */
export async function downloadSelected(
  entry: PublicEntry,
  selected: ReadonlySet<VirtualPath>,
): Promise<void> {
  const address = downloadAddressOf(entry, selected);
  startDownload(address ?? (await askForArchive(entry, selected)));
}

/** Has the server note a selection of any length; the address that is answered gives it once. */
async function askForArchive(
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

/** Saves what lies at an address of this server. */
export function startDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
