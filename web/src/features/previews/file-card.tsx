import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from 'react-i18next';
import { formatSize } from '../../i18n/format.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { FileIcon, type FileIconKind } from '../../ui/names/file-icon.tsx';
import { Download, ExternalLink, RefreshCw } from '../../ui/icons.ts';
import styles from './file-card.module.css';
import type { PreviewEntry } from './preview-entry.ts';

interface FileCardProps {
  entry: PreviewEntry;
  kind: FileIconKind;
  message: string;
  /** Absent when the user may not have the file's bytes. */
  openUrl?: string | undefined;
  onDownload?: (() => void) | undefined;
  /** The browser shows the file by itself: opening it comes first. */
  isOpenedFirst?: boolean | undefined;
  /** Fetches the file once more, where that may help. */
  onRetry?: (() => void) | undefined;
}

/** A file that is not shown: what it is, why, and what can be done with it. */
export function FileCard({
  entry,
  kind,
  message,
  openUrl,
  onDownload,
  isOpenedFirst = false,
  onRetry,
}: FileCardProps) {
  const { t } = useTranslation('previews');
  const common = useTranslation('common');
  return (
    <div className={styles.stage} data-card>
      <div className={styles.card}>
        <FileIcon kind={kind} size={96} extension={extensionOf(entry.name).slice(1)} />
        <p className={styles.name}>
          <bdi>{displayName(entry.name)}</bdi>
        </p>
        <p className={styles.size}>{formatSize(entry.size)}</p>
        <p className={styles.message}>{message}</p>
        <div className={styles.actions}>
          {onRetry && (
            <Button variant="primary" size="large" icon={<RefreshCw />} onClick={onRetry}>
              {common.t('retry')}
            </Button>
          )}
          {onDownload && (
            <Button
              variant={isOpenedFirst || onRetry ? 'secondary' : 'primary'}
              size="large"
              icon={<Download />}
              onClick={onDownload}
            >
              {t('download')}
            </Button>
          )}
          {openUrl && (
            <a
              className={styles.open}
              data-first={isOpenedFirst || undefined}
              href={openUrl}
              target="_blank"
              rel="noopener noreferrer"
            >
              <ExternalLink />
              {t('openFile')}
            </a>
          )}
        </div>
      </div>
    </div>
  );
}
