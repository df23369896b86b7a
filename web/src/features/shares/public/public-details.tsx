import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatDateExact, formatSize } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { ExternalLink } from '../../../ui/icons.ts';
import { LinkButton } from '../../../ui/buttons/link-button.tsx';
import { LazyQrCode } from '../lazy-qr-code.tsx';
import type { PublicItem } from './open-public.ts';
import styles from './public-details.module.css';
import { downloadAddress, absoluteDownloadAddress } from '../share-address.ts';

interface PublicDetailsProps {
  hash: string;
  file: PublicItem;
  token: string | undefined;
}

/** The metadata of a shared file, beside the file itself. */
export function PublicDetails({ hash, file, token }: PublicDetailsProps) {
  const { t } = useTranslation('shares');
  const location = { hash, path: file.path };
  return (
    <div className={styles.details}>
      <p className={styles.name}>
        <bdi>{displayName(file.name)}</bdi>
      </p>
      <p className={styles.metadata}>{formatSize(file.size)}</p>
      <p className={styles.metadata}>{t('public.modified', { when: formatDateExact(file.modifiedMs) })}</p>
      <LinkButton
        href={downloadAddress(location, { token, isInline: true, key: file.modifiedMs })}
        target="_blank"
        rel="noopener noreferrer"
        icon={<ExternalLink />}
      >
        {t('public.openFile')}
      </LinkButton>
      <div className={styles.qr}>
        <LazyQrCode address={absoluteDownloadAddress(location, { token })} />
        <p>{t('public.qrHint')}</p>
      </div>
    </div>
  );
}
