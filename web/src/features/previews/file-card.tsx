import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../i18n/use-translation.ts';
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
  /** Absent without the permission to download. */
  openUrl?: string | undefined;
  onDownload?: (() => void) | undefined;
  /** Whether opening the file is the primary action, because the browser can show it in a tab of its own. */
  isOpenPrimary?: boolean | undefined;
  /** Loads the file again; absent where that cannot help. */
  onRetry?: (() => void) | undefined;
}

/** Shows a card for a file without a preview: its name, the reason and the available actions. */
export function FileCard({
  entry,
  kind,
  message,
  openUrl,
  onDownload,
  isOpenPrimary = false,
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
              variant={isOpenPrimary || onRetry ? 'secondary' : 'primary'}
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
              data-first={isOpenPrimary || undefined}
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
