import { useTranslation } from '../../i18n/use-translation.ts';
import { PathArrow, PathLink } from '../../ui/navigation/path-link.tsx';
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
          {index > 0 && <PathArrow />}
          {index === crumbs.length - 1 ? (
            <FrameTitle>
              <bdi>{name}</bdi>
            </FrameTitle>
          ) : (
            <PathLink to={address}>
              <bdi>{name}</bdi>
            </PathLink>
          )}
        </span>
      ))}
    </nav>
  );
}
