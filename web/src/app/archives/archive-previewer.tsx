import { getArchivePreview, getArchiveRaw } from '@filestead/contract/archives';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useMemo } from 'react';
import { urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { followDownload } from '../../ui/follow-download.ts';
import { MetadataList } from '../../features/files/details/metadata-list.tsx';
import { FileAddressesProvider, type FileAddresses } from '../../features/previews/file-addresses.ts';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { formatDateExact, formatSize } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { archiveAddress } from '../routes/file-address.ts';
import { Previewer, renderReadOnlyCode } from '../resources/lazy-previewer.tsx';

/** Downloads a file inside an archive, or a folder as a zip. The session's cookie is sent with the request. */
export function downloadInside(
  archive: VirtualPath,
  path: VirtualPath,
  { name, isFolder }: { name: string; isFolder: boolean },
): void {
  const query = { archive, ...(isFolder && { algo: 'zip' }) };
  followDownload(urlOf(getArchiveRaw, { path, isFolder, query }), isFolder ? '' : name);
}

interface ArchivePreviewerProps {
  archive: VirtualPath;
  entry: PreviewEntry;
  siblings: readonly PreviewEntry[];
  onNavigate: (path: VirtualPath) => void;
  onClose: () => void;
}

/** A file inside an archive in the previewer, for viewing and downloading only. */
export function ArchivePreviewer({ archive, entry, siblings, onNavigate, onClose }: ArchivePreviewerProps) {
  const { t } = useTranslation('previews');
  const addresses = useMemo(() => addressesIn(archive), [archive]);
  const texts = useMemo(
    () => ({
      renderCode: renderReadOnlyCode,
      addressOf: (path: VirtualPath) => `${pageConfig.BaseURL}${archiveAddress(archive, path, false)}`,
    }),
    [archive],
  );
  const details = [
    { label: t('archive.size'), value: formatSize(entry.size) },
    { label: t('archive.modified'), value: formatDateExact(entry.modifiedMs) },
  ];
  return (
    <FileAddressesProvider value={addresses}>
      <Suspense fallback={null}>
        <Previewer
          entry={entry}
          siblings={siblings}
          canDownload
          texts={texts}
          onNavigate={(next) => onNavigate(next.path)}
          onClose={onClose}
          onDownload={() => downloadInside(archive, entry.path, { name: entry.name, isFolder: false })}
          onInfo={onClose}
          renderDetails={() => <MetadataList items={details} />}
        />
      </Suspense>
    </FileAddressesProvider>
  );
}

/** Returns the addresses of files inside an archive. */
function addressesIn(archive: VirtualPath): FileAddresses {
  const original = (path: VirtualPath) => urlOf(getArchiveRaw, { path, query: { archive, inline: 'true' } });
  return {
    original,
    embeddedImage: original,
    picture: ({ path, modifiedMs }, size) => {
      const query = { archive, inline: 'true', key: String(modifiedMs) };
      return urlOf(getArchivePreview, { params: { size }, path, query });
    },
    subtitle: original,
  };
}
