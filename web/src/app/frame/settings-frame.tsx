import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { PathArrow, PathLink } from '../../ui/navigation/path-link.tsx';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { ArrowLeft, ChevronRight, Search } from '../../ui/icons.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { revealSetting } from '../settings/reveal-setting.ts';
import { SettingsSearch, type SettingState } from '../settings/settings-search.tsx';
import { Frame } from './frame.tsx';
import { FrameTitle } from './frame-title.tsx';
import { youAddress } from '../you/you-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { toggleSidebar, useSidebarState } from './sidebar-state.ts';
import { PlaceLink } from './sidebar.tsx';
import styles from './settings-frame.module.css';
import { useSettingsPages } from '../routes/settings-pages.tsx';

export interface SettingsFrameProps {
  title: string;
  /** The parent page. Default: the list of pages. */
  parent?: { name: string; to: string } | undefined;
  /** Controls in the top bar; phones have none there. */
  actions?: ReactNode;
  /** Uses the full width, for tables. */
  isWide?: boolean | undefined;
  children: ReactNode;
}

/**
 * A page of the settings. The list of all pages replaces the places in the sidebar, and is above the page where the
 * sidebar is a drawer; the phone has a way back to the page of the user, and one to the search.
 */
export function SettingsFrame({ title, parent, actions, isWide, children }: SettingsFrameProps) {
  const { t } = useTranslation(['settings', 'app']);
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const page = useRevealedSetting();
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
              <PathLink to={parent.to}>{parent.name}</PathLink>
              <PathArrow />
            </>
          )}
          <FrameTitle>{title}</FrameTitle>
        </div>
      }
      hidesHistory
      actions={actions}
      phone={{
        title,
        back: parent ?? { name: t('app:frame.you'), to: youAddress },
        actions: (
          <IconButton
            label={t('search.label')}
            icon={<Search />}
            hasTooltip={false}
            onClick={() => void navigate('/settings')}
          />
        ),
      }}
    >
      <div className={styles.scroller}>
        <div className={styles.columns}>
          {!isPhone && !isInSidebar && (
            <div className={styles.nav}>
              <SettingsSearch>
                <nav aria-label={t('nav.label')}>
                  <PageLinks />
                </nav>
              </SettingsSearch>
            </div>
          )}
          <div ref={page} className={styles.page} data-wide={isWide || undefined}>
            {children}
          </div>
        </div>
      </div>
    </Frame>
  );
}

/** Returns the reference to the page, on which the setting that was searched for is shown. */
function useRevealedSetting() {
  const page = useRef<HTMLDivElement>(null);
  const { state } = useLocation();
  useEffect(() => {
    const place = (state as SettingState | null)?.setting;
    return page.current === null || place === undefined ? undefined : revealSetting(page.current, place);
  }, [state]);
  return page;
}

/** The search and the list of pages as a screen of its own, for the phone. */
export function SettingsIndex() {
  const { t } = useTranslation(['settings', 'app']);
  const pages = useSettingsPages();
  usePageTitle(t('title'));
  return (
    <Frame header={null} phone={{ title: t('title'), back: { name: t('app:frame.you'), to: youAddress } }}>
      <div className={styles.index}>
        <SettingsSearch hasAutoFocus>
          <nav aria-label={t('nav.label')}>
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
        </SettingsSearch>
      </div>
    </Frame>
  );
}

/** The search and the list of pages in the sidebar, below the way back to the files. */
function SidebarPages({ isCollapsed }: { isCollapsed: boolean }) {
  const { t } = useTranslation(['settings', 'app']);
  const { pathname } = useLocation();
  const [isExpanding, setExpanding] = useState(false);
  const expand = () => {
    setExpanding(true);
    toggleSidebar();
  };
  const shown = useSettingsPages();
  const listOf = (forEveryone: boolean) => (
    <ul>
      {shown
        .filter(({ isForEveryone }) => isForEveryone === forEveryone)
        .map(({ id, icon }) => (
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
  );
  const pages = (
    <nav aria-label={t('nav.label')}>
      {listOf(false)}
      {shown.some(({ isForEveryone }) => isForEveryone) && (
        <>
          {!isCollapsed && <h2 className={styles.group}>{t('nav.everyone')}</h2>}
          {listOf(true)}
        </>
      )}
    </nav>
  );
  const back = t('app:frame.back', { name: t('app:frame.myFiles') });
  if (isCollapsed) {
    return (
      <>
        <PlaceLink to="/files/" label={back} icon={<ArrowLeft />} isCurrent={false} isCollapsed />
        <div className={styles.collapsed}>
          <IconButton label={t('search.label')} icon={<Search />} onClick={expand} />
          {pages}
        </div>
      </>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <Tooltip text={back} isDescription={false}>
          <Link to="/files/" className={styles.back} aria-label={back}>
            <ArrowLeft />
          </Link>
        </Tooltip>
        <span className={styles.headTitle}>{t('title')}</span>
      </div>
      <div className={styles.sidebar}>
        <SettingsSearch hasAutoFocus={isExpanding}>{pages}</SettingsSearch>
      </div>
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
