import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, NavLink } from 'react-router';
import { ChevronRight } from '../../ui/icons.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Frame } from './frame.tsx';
import { usePageTitle } from '../routes/page-title.ts';
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

/** A page of the settings, beside the list of all pages; on the phone with a way back to that list. */
export function SettingsFrame({ title, parent, isWide, children }: SettingsFrameProps) {
  const { t } = useTranslation('settings');
  const isPhone = useIsPhone();
  usePageTitle(title);
  return (
    <Frame
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
          {!isPhone && (
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

function PageLinks() {
  const { t } = useTranslation('settings');
  return (
    <ul>
      {useSettingsPages().map(({ id, icon }) => (
        <li key={id}>
          <NavLink to={`/settings/${id}`} className={styles.link ?? ''}>
            {icon}
            <span>{t(`nav.${id}`)}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
