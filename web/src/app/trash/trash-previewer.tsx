import { getTrashPreview, getTrashRaw, type TrashItem } from '@filestead/contract/endpoints/trash';
import { childOf, rootPath, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useMemo } from 'react';
import { urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { MetadataList, type MetadataItem } from '../../features/files/details/metadata-list.tsx';
import { FileAddressesProvider, type FileAddresses } from '../../features/previews/file-addresses.ts';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { downloadItem } from '../../features/trash/download-item.ts';
import type { TrashHost } from '../../features/trash/trash-host.ts';
import { deleterText, folderOf, timeLeft, trashText } from '../../features/trash/trash-texts.ts';
import { formatDateExact, formatSize } from '../../i18n/format.ts';
import { trashAddress } from './trash-address.ts';
import { Previewer, renderReadOnlyCode } from '../resources/lazy-previewer.tsx';

/** A file in the trash: a deleted item, or an entry below it. The path of the item itself is the root. */
export interface TrashSource {
  readonly id: string;
  readonly path: VirtualPath;
}

/** Returns a deleted file for the previewer. Its path is `/id/name`, which is unique among all items. */
export const previewOfItem = ({ id, name, type, size, modified }: TrashItem): PreviewEntry => ({
  path: childOf(childOf(rootPath, id), name),
  name,
  type,
  size: size ?? 0,
  modifiedMs: Date.parse(modified),
});

/** Returns the source of a path that {@link previewOfItem} created. */
export const sourceOfItem = (path: VirtualPath): TrashSource => ({
  id: segmentsOf(path)[0] ?? '',
  path: rootPath,
});

/** Returns the metadata of an item for the panel beside the previewer. */
export function detailsOf(item: TrashItem, { user }: TrashHost): MetadataItem[] {
  return [
    ...(item.size === null ? [] : [{ label: trashText('columns.size'), value: formatSize(item.size) }]),
    { label: trashText('columns.location'), value: folderOf(item), isPath: true },
    { label: trashText('columns.deleted'), value: formatDateExact(Date.parse(item.deletedAt)) },
    { label: trashText('columns.deletedBy'), value: deleterText(item, user.username) },
    { label: trashText('columns.timeLeft'), value: timeLeft(item, Date.now()).text },
  ];
}

interface TrashPreviewerProps {
  entry: PreviewEntry;
  siblings: readonly PreviewEntry[];
  /** Returns the source of the entry at `path`. Stable between renders. */
  sourceOf: (path: VirtualPath) => TrashSource;
  canDownload: boolean;
  details: readonly MetadataItem[];
  onNavigate: (path: VirtualPath) => void;
  onClose: () => void;
}

/** A file of the trash in the previewer, for viewing and downloading only. */
export function TrashPreviewer(props: TrashPreviewerProps) {
  const { entry, siblings, sourceOf, canDownload, details, onNavigate, onClose } = props;
  const addresses = useMemo(() => addressesOf(sourceOf), [sourceOf]);
  const texts = useMemo(
    () => ({
      renderCode: renderReadOnlyCode,
      addressOf: (path: VirtualPath) => {
        const { id, path: inner } = sourceOf(path);
        return `${pageConfig.BaseURL}${trashAddress(id, false, inner)}`;
      },
    }),
    [sourceOf],
  );
  const { id, path } = sourceOf(entry.path);
  return (
    <FileAddressesProvider value={addresses}>
      <Suspense fallback={null}>
        <Previewer
          entry={entry}
          siblings={siblings}
          canDownload={canDownload}
          texts={texts}
          onNavigate={(next) => onNavigate(next.path)}
          onClose={onClose}
          onDownload={() => downloadItem({ id, name: entry.name, isDir: false }, path)}
          renderDetails={() => <MetadataList items={details} />}
        />
      </Suspense>
    </FileAddressesProvider>
  );
}

/** Returns the addresses of files in the trash. The browser sends the session's cookie with each request. */
function addressesOf(sourceOf: (path: VirtualPath) => TrashSource): FileAddresses {
  const original = (of: VirtualPath) => {
    const { id, path } = sourceOf(of);
    return urlOf(getTrashRaw, { params: { id }, path, query: { inline: 'true' } });
  };
  return {
    original,
    // A deleted file has no neighbors; the files of a deleted folder have.
    embeddedImage: (path) => (sourceOf(path).path === '/' ? null : original(path)),
    picture: ({ path: of, modifiedMs }, size) => {
      const { id, path } = sourceOf(of);
      const query = { inline: 'true', key: String(modifiedMs) };
      return urlOf(getTrashPreview, { params: { id, size }, path, query });
    },
    subtitle: original,
  };
}
