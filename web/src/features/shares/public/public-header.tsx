import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { isApiError } from '../../../api/call.ts';
import { pageConfig, productName } from '../../../api/page-config.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Download, SquareCheck } from '../../../ui/icons.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { PublicEntry } from './open-public.ts';
import { downloadSelected } from './public-downloads.ts';
import styles from './public-header.module.css';
import type { PublicSelection } from './public-selection.ts';
import { shareFailureText } from '../share-texts.ts';

interface PublicHeaderProps {
  /** Null while nothing is shown. */
  entry: PublicEntry | null;
  selection: PublicSelection;
  menu: ReactNode;
}

/** The header of a public page: the name of the installation, and the actions for the current entry. */
export function PublicHeader({ entry, selection, menu }: PublicHeaderProps) {
  const { t } = useTranslation('shares');
  const { size: count } = selection.paths;
  return (
    <header className={styles.header} data-selected={count > 0 || undefined}>
      <span className={styles.brand}>
        <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={30} height={30} />
        <bdi className={styles.name}>{productName}</bdi>
      </span>
      {entry?.isFolder && entry.items.length > 0 && (
        <div className={styles.actions}>
          <IconButton
            label={t('public.selectMultiple')}
            icon={<SquareCheck />}
            isPressed={selection.isSelecting}
            onClick={selection.toggleSelecting}
          />
          {count > 0 && (
            <Button variant="primary" icon={<Download />} onClick={() => download(entry, selection)}>
              {t('public.downloadSelected', { count, number: formatNumber(count) })}
            </Button>
          )}
        </div>
      )}
      {menu}
    </header>
  );
}

function download(entry: PublicEntry, { paths }: PublicSelection): void {
  downloadSelected(entry, paths).catch((error: unknown) =>
    showToast({ tone: 'error', message: messageOf(error) }),
  );
}

/** Returns the message for a failed archive request. */
function messageOf(error: unknown): string {
  const isTooLong = isApiError(error, 'payload_too_large') || isApiError(error, 'bad_request');
  return isTooLong ? i18n.t('public.tooManySelected', { ns: 'shares' }) : shareFailureText(error);
}
