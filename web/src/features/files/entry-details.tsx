import { parentOf } from '@filestead/contract/virtual-path';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rawUrl } from '../../api/urls.ts';
import { formatDateExact, formatNumber, formatSize } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { FileIcon } from '../../ui/file-icon.tsx';
import { Share2 } from '../../ui/icons.ts';
import { ChecksumList } from './checksum-list.tsx';
import styles from './details-panel.module.css';
import type { FileEntry } from './entry.ts';
import { FactList, type Fact } from './fact-list.tsx';
import { extensionOf, fileKind } from '../../ui/file-kind.ts';

/** Larger pictures would be fetched whole for a thumbnail. */
const largestPictureBytes = 8 * 1024 * 1024;

/** All that is known of one entry. */
export function EntryDetails({
  entry,
  canDownload,
  onShare,
}: {
  entry: FileEntry;
  canDownload: boolean;
  onShare: (() => void) | undefined;
}) {
  const { t } = useTranslation('files');
  const [dimensions, setDimensions] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const isFile = !entry.isFolder && entry.type !== 'invalid_link';
  const hasPicture = canDownload && entry.type === 'image' && entry.size <= largestPictureBytes && !isBroken;
  const facts: Fact[] = [
    {
      label: t('details.kind'),
      value: entry.isFolder ? t('kinds.folder') : t(`kinds.${entry.type || 'folder'}`),
    },
    ...(isFile ? [{ label: t('details.size'), value: <Size bytes={entry.size} /> }] : []),
    ...(dimensions === null ? [] : [{ label: t('details.dimensions'), value: dimensions }]),
    {
      label: t('details.modified'),
      value: (
        <time dateTime={new Date(entry.modifiedMs).toISOString()}>{formatDateExact(entry.modifiedMs)}</time>
      ),
    },
    ...(entry.isSymlink ? [{ label: t('details.link'), value: t('details.isLink') }] : []),
    { label: t('details.location'), value: parentOf(entry.path), isPath: true },
  ];
  return (
    <>
      <div className={styles.picture}>
        {hasPicture ? (
          <img
            src={rawUrl(entry.path, { inline: true, key: entry.modifiedMs })}
            alt=""
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              if (naturalWidth > 0) {
                setDimensions(`${formatNumber(naturalWidth)} × ${formatNumber(naturalHeight)}`);
              }
            }}
            onError={() => setBroken(true)}
          />
        ) : (
          <FileIcon kind={fileKind(entry)} size={72} extension={extensionOf(entry.name)} />
        )}
      </div>
      <p className={styles.name}>
        <bdi>{entry.name}</bdi>
      </p>
      {onShare && (
        <Button icon={<Share2 />} isFullWidth onClick={onShare}>
          {t('actions.share')}
        </Button>
      )}
      <FactList facts={facts} />
      {isFile && <ChecksumList path={entry.path} />}
    </>
  );
}

/** Rounded and, from a kibibyte on, exact. */
function Size({ bytes }: { bytes: number }) {
  const { t } = useTranslation('files');
  if (bytes < 1024) return formatSize(bytes);
  return (
    <>
      {formatSize(bytes)}{' '}
      <span className={styles.exact}>
        {t('details.bytes', { count: bytes, number: formatNumber(bytes) })}
      </span>
    </>
  );
}
