import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation } from '../../ui/navigation/router.tsx';
import { ArrowLeft, ChevronRight } from '../../ui/icons.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Frame } from './frame.tsx';
import { usePageTitle } from '../routes/page-title.ts';
import { useSidebarState } from './sidebar-state.ts';
import { PlaceLink } from './sidebar.tsx';
import styles from './settings-frame.module.css';
import { useSettingsPages } from '../routes/settings-pages.tsx';

export interface SettingsFrameProps {
  title: string;
  /** The parent page. Default: the list of pages. */
  parent?: { name: string; to: string } | undefined;
  /** Uses the full width, for tables. */
  isWide?: boolean | undefined;
  children: ReactNode;
}

/**
 * A page of the settings. The list of all pages replaces the places in the sidebar, and is above the page where the
 * sidebar is a drawer; the phone has a way back to that list.
 */
export function SettingsFrame({ title, parent, isWide, children }: SettingsFrameProps) {
  const { t } = useTranslation('settings');
  const isPhone = useIsPhone();
  const sidebarState = useSidebarState();
  const isInSidebar = sidebarState === 'open' || sidebarState === 'icons';
  usePageTitle(title);
  return (
    <Frame
      navigation={isInSidebar ? <SidebarPages isCollapsed={sidebarState === 'icons'} /> : undefined}
      header={
        <div className={styles.header}>
          {parent && (
            <>
              <Link to={parent.to} className={styles.parent}>
                {parent.name}
              </Link>
              <ChevronRight />
            </>
          )}
          <h1 className={styles.title}>{title}</h1>
        </div>
      }
      phone={{ title, back: parent ?? { name: t('title'), to: '/settings' } }}
    >
      <div className={styles.scroller}>
        <div className={styles.columns}>
          {!isPhone && !isInSidebar && (
            <nav aria-label={t('nav.label')} className={styles.nav}>
              <PageLinks />
            </nav>
          )}
          <div className={styles.page} data-wide={isWide || undefined}>
            {children}
          </div>
        </div>
      </div>
    </Frame>
  );
}

/** The list of pages as a screen of its own, for the phone. */
export function SettingsIndex() {
  const { t } = useTranslation('settings');
  const pages = useSettingsPages();
  usePageTitle(t('title'));
  return (
    <Frame header={null} phone={{ title: t('title') }}>
      <nav aria-label={t('nav.label')} className={styles.index}>
        <ul>
          {pages.map(({ id, icon }) => (
            <li key={id}>
              <Link to={`/settings/${id}`} className={styles.entry}>
                {icon}
                <span className={styles.texts}>
                  <span className={styles.name}>{t(`nav.${id}`)}</span>
                  <span className={styles.hint}>{t(`navHint.${id}`)}</span>
                </span>
                <ChevronRight className={styles.arrow} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Frame>
  );
}

/** The list of pages in the sidebar, below the way back to the files. */
function SidebarPages({ isCollapsed }: { isCollapsed: boolean }) {
  const { t } = useTranslation(['settings', 'app']);
  const { pathname } = useLocation();
  return (
    <>
      <PlaceLink
        to="/files/"
        label={t('app:frame.back', { name: t('app:frame.myFiles') })}
        icon={<ArrowLeft />}
        isCurrent={false}
        isCollapsed={isCollapsed}
      />
      <nav aria-label={t('nav.label')}>
        <ul>
          {useSettingsPages().map(({ id, icon }) => (
            <li key={id}>
              <PlaceLink
                to={`/settings/${id}`}
                label={t(`nav.${id}`)}
                icon={icon}
                isCurrent={pathname.startsWith(`/settings/${id}`)}
                isCollapsed={isCollapsed}
              />
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** The list of pages above the page. */
function PageLinks() {
  const { t } = useTranslation('settings');
  const { pathname } = useLocation();
  return (
    <ul>
      {useSettingsPages().map(({ id, icon }) => (
        <li key={id}>
          <Link
            to={`/settings/${id}`}
            className={styles.link}
            aria-current={pathname.startsWith(`/settings/${id}`) ? 'page' : undefined}
          >
            {icon}
            <span>{t(`nav.${id}`)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
