import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Link } from '../../../ui/navigation/router.tsx';
import { displayName } from '../../../i18n/display-name.ts';
import { ChevronRight, House } from '../../../ui/icons.ts';
import type { PublicEntry } from './open-public.ts';
import styles from './public-crumbs.module.css';
import { publicAddress } from '../share-address.ts';

/**
 * The number of levels below the share that are shown; those above them are one crumb `...`
 * (docs/reference/behaviour.md §2).
 */
const maxLevels = 3;

/** Returns the folders from the shared folder down to `path`, which is the last one. */
export function crumbsOf(path: VirtualPath): { path: VirtualPath; isCollapsed: boolean }[] {
  const segments = segmentsOf(path);
  const levels = segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}` as VirtualPath);
  const shown = levels.slice(-maxLevels);
  const above = levels.at(-maxLevels - 1);
  return [
    ...(above === undefined ? [] : [{ path: above, isCollapsed: true }]),
    ...shown.map((level) => ({ path: level, isCollapsed: false })),
  ];
}

/** The breadcrumbs from the shared folder to the current one; none at the top. */
export function PublicCrumbs({ entry }: { entry: PublicEntry }) {
  const { t } = useTranslation('shares');
  const { hash, path, isShareRoot } = entry;
  if (isShareRoot) return null;
  return (
    <nav aria-label={t('public.crumbs')} className={styles.crumbs}>
      <ol>
        <li>
          <Link
            to={publicAddress({ hash, path: '/' as VirtualPath }, true)}
            aria-label={t('public.top')}
            title={t('public.top')}
          >
            <House />
          </Link>
        </li>
        {crumbsOf(path).map((crumb) => (
          <li key={crumb.path}>
            <ChevronRight aria-hidden="true" />
            {crumb.path === path ? (
              <span aria-current="page">
                <bdi>{displayName(nameOf(path))}</bdi>
              </span>
            ) : (
              <Link
                to={publicAddress({ hash, path: crumb.path }, true)}
                aria-label={crumb.isCollapsed ? displayName(nameOf(crumb.path)) : undefined}
                title={displayName(nameOf(crumb.path))}
              >
                <bdi>{crumb.isCollapsed ? '...' : displayName(nameOf(crumb.path))}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
