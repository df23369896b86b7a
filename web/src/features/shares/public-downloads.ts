import { archiveForms, archiveFormats, type ArchiveFormat } from '@filestead/contract/archives';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/virtual-path';
import type { PublicEntry } from './open-public.ts';
import { downloadAddress } from './share-address.ts';

/** The formats that are offered, the usual one first (product specification §2). */
export const offeredFormats: readonly ArchiveFormat[] = archiveFormats.filter(
  (format) => format !== 'tarzst' && format !== 'tarbr',
);

/** What an archive of a format ends with, without the dot, as its name in menus. */
export const formatName = (format: ArchiveFormat): string => archiveForms[format].extension.slice(1);

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

/** Saves what lies at an address of this server. */
export function startDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
