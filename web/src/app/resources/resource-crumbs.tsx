import { useTranslation } from '../../i18n/use-translation.ts';
import { ChevronRight } from '../../ui/icons.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import styles from './resource-page.module.css';

/** A folder on the way to the shown one. */
export interface Crumb {
  readonly address: string;
  readonly name: string;
}

/** The way to a folder outside the user's files; the last crumb is the shown folder. */
export function ResourceCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation('files');
  return (
    <nav className={styles.crumbs} aria-label={t('breadcrumbs')}>
      {crumbs.map(({ address, name }, index) => (
        <span key={address} className={styles.step}>
          {index > 0 && <ChevronRight aria-hidden="true" />}
          {index === crumbs.length - 1 ? (
            <FrameTitle>
              <bdi>{name}</bdi>
            </FrameTitle>
          ) : (
            <Link to={address} className={styles.crumb}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}
