import { targetOf } from '../../features/shares/share-target.ts';
import { isExpired, shareUrl } from '../../api/public-share.ts';
import { displayName } from '../../i18n/display-name.ts';
import { expiryText } from '../../i18n/expiry.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { copyAddress } from '../../ui/copy-address.ts';
import { Link2 } from '../../ui/icons.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { sharesAddress } from '../routes/file-address.ts';
import { HomePart } from './home-part.tsx';
import styles from './home-page.module.css';
import type { Home } from './load-home.ts';

/** The first shares of the user, with their visits and expiry. */
export function HomeShares({ shares, shareCount }: Pick<Home, 'shares' | 'shareCount'>) {
  const { t } = useTranslation(['home', 'app', 'shares']);
  return (
    <HomePart title={t('shared')} more={{ to: sharesAddress, label: t('all', pluralValues(shareCount)) }}>
      <ul>
        {shares.map((share) => {
          const { name, isFolder } = targetOf(share);
          return (
            <li key={share.hash} className={styles.withButton}>
              <Link to={sharesAddress} className={styles.row}>
                <FileIcon
                  kind={fileKind({ name, type: isFolder ? '' : 'blob', isFolder })}
                  size={24}
                  extension={lowerCaseExtension(name)}
                />
                <span className={styles.shared}>
                  <bdi className={styles.name}>{displayName(name) || t('app:frame.myFiles')}</bdi>
                  <span className={styles.when}>
                    {t('shares:shared.visits', pluralValues(share.visits))}
                    {' · '}
                    {expiryText(share)}
                  </span>
                </span>
              </Link>
              {!isExpired(share) && (
                <IconButton
                  label={t('shares:shared.copy')}
                  icon={<Link2 />}
                  onClick={() => void copyAddress(shareUrl(share.hash))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </HomePart>
  );
}
