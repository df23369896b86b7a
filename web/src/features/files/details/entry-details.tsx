import type { Version } from '@filestead/contract/endpoints/versions';
import { hasEscapedBytes } from '@filestead/contract/paths/raw-names';
import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useState, type ReactNode } from 'react';
import { pathFromRoot } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { rawUrl } from '../../../api/urls.ts';
import { formatDimensions } from '../../../i18n/format-dimensions.ts';
import { formatDateExact, formatNumber, formatSize } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { EntryShares } from './entry-shares.tsx';
import { EntryVersions } from './entry-versions.tsx';
import { ChecksumList } from './checksum-list.tsx';
import styles from './details-panel.module.css';
import type { FileEntry } from '../entries/entry.ts';
import type { DetailsPart, FolderHost } from '../folder/folder-host.ts';
import { CaptureList } from './capture-list.tsx';
import { captureItems, mediaItems } from './media-items.ts';
import { MetadataList, type MetadataItem } from './metadata-list.tsx';
import { kindName } from '../listing/rows/kind-name.ts';
import { LargestEntries } from './largest-entries.tsx';
import { FolderSize } from './folder-size.tsx';
import { useMediaInfo } from './use-media-info.ts';
import { isShownByBrowsers, pictureAddress } from '../entries/picture-address.ts';
import { lowerCaseExtension, fileKind } from '../../../ui/names/file-kind.ts';

/** Maximum size of an original that is loaded as a thumbnail. */
const maxOriginalBytes = 8 * 1024 * 1024;

interface EntryDetailsProps {
  entry: FileEntry;
  /** Whether the picture or icon of the entry is shown; not where the entry itself is beside. Default: true. */
  hasPicture?: boolean;
  /** The size of a folder, where the listing knows it. */
  knownBytes?: number | undefined;
  canDownload: boolean;
  /** The address of the folder that contains the entry; absent where its location is not a link. */
  folderAddress?: string | undefined;
  /** Opens that folder with the entry selected. */
  onOpenFolder?: (() => void) | undefined;
  onShare: (() => void) | undefined;
  /** Opens the versions of a file; absent where none are kept. */
  onVersions?: (() => void) | undefined;
  /** Replaces the file with one of its versions; absent if the user may not. */
  onRestore?: ((version: Version) => void) | undefined;
  /** The tags of the entry, with the star where the head of the details has none. */
  marks?: ReactNode;
  /** The last operations of the entry. */
  activity?: ReactNode;
  /** Opens the rename dialog; absent without the permission to rename. */
  onRename?: (() => void) | undefined;
}

/** Shows all details of an entry. */
export function EntryDetails({
  entry,
  hasPicture = true,
  canDownload,
  folderAddress,
  onOpenFolder,
  onShare,
  onVersions,
  onRestore,
  marks,
  activity,
  onRename,
  knownBytes,
}: EntryDetailsProps) {
  const { t } = useTranslation('files');
  const [measured, setMeasured] = useState<string | null>(null);
  const info = useMediaInfo(entry, canDownload);
  const dimensions = info !== null && info.width > 0 ? formatDimensions(info.width, info.height) : measured;
  const [isBroken, setBroken] = useState(false);
  const isFile = !entry.isFolder && entry.type !== 'invalid_link';
  const picture = canDownload && !isBroken ? selectPicture(entry) : null;
  const capture = info === null ? [] : captureItems(info);
  const items: MetadataItem[] = [
    { label: t('details.kind'), value: kindName(entry) },
    ...(isFile ? [{ label: t('details.size'), value: <Size bytes={entry.size} /> }] : []),
    ...(entry.isFolder
      ? [{ label: t('details.size'), value: <FolderSize path={entry.path} knownBytes={knownBytes} /> }]
      : []),
    ...(info === null ? [] : mediaItems(info)),
    ...(dimensions === null ? [] : [{ label: t('details.dimensions'), value: dimensions }]),
    {
      label: t('details.modified'),
      value: (
        <time dateTime={new Date(entry.modifiedMs).toISOString()}>{formatDateExact(entry.modifiedMs)}</time>
      ),
    },
    ...(entry.isSymlink ? [{ label: t('details.link'), value: t('details.isLink') }] : []),
    {
      label: t('details.location'),
      value: <Location path={parentOf(entry.path)} address={folderAddress} onOpen={onOpenFolder} />,
      isPath: true,
    },
  ];
  return (
    <>
      {hasPicture && (
        <div className={styles.picture} data-icon={picture === null || undefined}>
          {picture ? (
            <img
              src={picture.url}
              alt=""
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
                if (picture.isOriginal && naturalWidth > 0) {
                  setMeasured(formatDimensions(naturalWidth, naturalHeight));
                }
              }}
              onError={() => setBroken(true)}
            />
          ) : (
            <FileIcon kind={fileKind(entry)} size={72} extension={lowerCaseExtension(entry.name)} />
          )}
        </div>
      )}
      {marks && <div className={styles.marks}>{marks}</div>}
      {hasEscapedBytes(entry.name) && (
        <div className={styles.foreignName}>
          <p>{t('details.foreignName')}</p>
          {onRename && <Button onClick={onRename}>{t('details.repairName')}</Button>}
        </div>
      )}
      {capture.length > 0 && (
        <section className={styles.section} aria-label={t('details.capture')}>
          <h3>{t('details.capture')}</h3>
          <CaptureList items={capture} />
        </section>
      )}
      <section className={styles.section} aria-label={t('details.about')}>
        <h3>{t('details.about')}</h3>
        <MetadataList items={items} />
      </section>
      {entry.isFolder && <LargestEntries path={entry.path} />}
      {onShare && <EntryShares path={entry.path} onEdit={onShare} />}
      {onVersions && isFile && <EntryVersions entry={entry} onShowAll={onVersions} onRestore={onRestore} />}
      {activity}
      {isFile && <ChecksumList key={entry.modifiedMs} path={entry.path} size={entry.size} />}
    </>
  );
}

/** The folder of an entry, as a link where there is an address. */
function Location({
  path,
  address,
  onOpen,
}: {
  path: VirtualPath;
  address: string | undefined;
  onOpen: (() => void) | undefined;
}) {
  const { t } = useTranslation('files');
  const location = pathFromRoot(path, t('root'));
  if (address === undefined) return location;
  return (
    <a
      href={address}
      onClick={(event) => {
        // The browser opens a tab or a window for other clicks.
        if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {location}
    </a>
  );
}

/** Returns the picture of an entry: the original if it is small, else one that the server generates. */
function selectPicture(entry: FileEntry): { url: string; isOriginal: boolean } | null {
  if (isShownByBrowsers(entry) && entry.size <= maxOriginalBytes) {
    return { url: rawUrl(entry.path, { inline: true, key: entry.modifiedMs }), isOriginal: true };
  }
  const url = pictureAddress(entry, 'mosaic', false);
  return url === null ? null : { url, isOriginal: false };
}

/** Shows a size rounded and, from a kilobyte on, also exact. */
function Size({ bytes }: { bytes: number }) {
  const { t } = useTranslation('files');
  if (bytes < 1000) return formatSize(bytes);
  return (
    <>
      {formatSize(bytes)}{' '}
      <span className={styles.exact}>
        {t('details.bytes', { count: bytes, number: formatNumber(bytes) })}
      </span>
    </>
  );
}

/** A part of the details that another feature renders; nothing while its code is loaded. */
export function HostPart({
  kind,
  entries,
  host,
  onChange,
}: Pick<DetailsPart, 'kind' | 'onChange'> & {
  entries: readonly Pick<FileEntry, 'path' | 'isFolder'>[];
  host: FolderHost;
}) {
  const paths = entries.map(({ path }) => path);
  const isFolder = entries[0]?.isFolder === true;
  return <Suspense fallback={null}>{host.renderPart?.({ kind, paths, isFolder, onChange })}</Suspense>;
}
