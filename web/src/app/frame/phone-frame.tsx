import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation } from '../../ui/navigation/router.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { pageConfig } from '../../api/page-config.ts';
import { useInstall } from '../../features/installable/install-offer.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTheme } from '../../styles/theme.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import {
  ArrowLeft,
  CircleHelp,
  Clock,
  Folder,
  House,
  Images,
  LogOut,
  History,
  MonitorDown,
  Settings,
  Star,
  Tag,
  Users,
  Trash2,
  User,
} from '../../ui/icons.ts';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import {
  canSignOut,
  chooseLanguage,
  requestSignOut,
  useLanguageOptions,
  useThemeOptions,
} from './account.ts';
import styles from './phone-frame.module.css';
import { favoritesAddress } from '../marks/mark-addresses.ts';
import { isUsageShown, StorageUsage } from './storage-usage.tsx';

const sharesAddress = '/shared';

export interface PhoneTop {
  title: string;
  /** The parent folder: its name and its address. */
  back?: { name: string; to: string } | undefined;
}

/** The bar at the top: the way back, the title, and the actions. */
export function PhoneTopBar({ title, back, actions }: PhoneTop & { actions?: ReactNode }) {
  const { t } = useTranslation('app');
  return (
    <header className={styles.top}>
      {back && (
        <Link
          to={back.to}
          className={styles.back}
          aria-label={t('frame.back', { name: displayName(back.name) })}
        >
          <ArrowLeft />
        </Link>
      )}
      <h1 className={styles.title} data-has-back={back ? '' : undefined}>
        <bdi>{displayName(title)}</bdi>
      </h1>
      {actions}
    </header>
  );
}

/** The bar at the bottom: the main destinations, and the user's menu. `add` is the round button above it. */
export function PhoneNavigation(props: {
  usagePath: VirtualPath | undefined;
  add?: ReactNode;
  onHelp: () => void;
}) {
  const { t } = useTranslation('app');
  const [isYouOpen, setYouOpen] = useState(false);
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  return (
    <>
      {props.add && <div className={styles.add}>{props.add}</div>}
      <nav className={styles.bottom} aria-label={t('frame.places')}>
        <PlaceLink to="/home" icon={<House />} isCurrent={pathname === '/home'}>
          {t('frame.home')}
        </PlaceLink>
        <PlaceLink to="/files/" icon={<Folder />} isCurrent={pathname.startsWith('/files')}>
          {t('titles.files')}
        </PlaceLink>
        {pageConfig.EnableCatalogue && (
          <PlaceLink to="/photos" icon={<Images />} isCurrent={pathname.startsWith('/photos')}>
            {t('frame.photos')}
          </PlaceLink>
        )}
        {perm.share && (
          <PlaceLink to={sharesAddress} icon={<Users />} isCurrent={pathname === sharesAddress}>
            {t('frame.sharedByMe')}
          </PlaceLink>
        )}
        <button
          type="button"
          className={styles.place}
          aria-haspopup="dialog"
          aria-expanded={isYouOpen}
          onClick={() => setYouOpen(true)}
        >
          <User />
          <span>{t('frame.you')}</span>
        </button>
      </nav>
      <YouSheet
        usagePath={props.usagePath}
        isOpen={isYouOpen}
        onClose={() => setYouOpen(false)}
        onHelp={props.onHelp}
      />
    </>
  );
}

interface PlaceLinkProps {
  to: string;
  icon: ReactNode;
  isCurrent: boolean;
  children: string;
}

function PlaceLink({ to, icon, isCurrent, children }: PlaceLinkProps) {
  return (
    <Link to={to} className={styles.place} aria-current={isCurrent ? 'page' : undefined}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}

interface YouSheetProps {
  usagePath: VirtualPath | undefined;
  isOpen: boolean;
  onClose: () => void;
  onHelp: () => void;
}

function YouSheet({ usagePath, isOpen, onClose, onHelp }: YouSheetProps) {
  const { t } = useTranslation('app');
  const user = useCurrentUser();
  const [theme, chooseTheme] = useTheme();
  const install = useInstall();
  const themes = useThemeOptions();
  const languages = useLanguageOptions();
  return (
    <Dialog title={t('frame.you')} isOpen={isOpen} onClose={onClose}>
      <div className={styles.you}>
        <div className={styles.who}>
          <Avatar name={user.username} size={40} />
          <bdi>{user.username}</bdi>
        </div>
        {isUsageShown(usagePath) && (
          <div className={styles.storage}>
            <StorageUsage path={usagePath} />
          </div>
        )}
        <div className={styles.setting}>
          <span>{t('frame.theme')}</span>
          <SegmentedControl label={t('frame.theme')} value={theme} onChange={chooseTheme} options={themes} />
        </div>
        {languages.length > 0 && (
          <label className={styles.setting}>
            <span>{t('frame.language')}</span>
            <select
              className={styles.select}
              value={user.locale}
              onChange={(event) => void chooseLanguage(event.target.value)}
            >
              {languages.map(({ value, label, lang }) => (
                <option key={value} value={value} lang={lang}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        {[
          { to: '/recent', label: t('frame.recent'), icon: <Clock /> },
          { to: favoritesAddress, label: t('marks.favorites'), icon: <Star /> },
          { to: '/tags', label: t('frame.tags'), icon: <Tag /> },
        ].map(({ to, label, icon }) => (
          <Link key={to} to={to} className={styles.settings} onClick={onClose}>
            {icon}
            {label}
          </Link>
        ))}
        {pageConfig.EnableTrash && (
          <Link to="/trash" className={styles.settings} onClick={onClose}>
            <Trash2 />
            {t('frame.trash')}
          </Link>
        )}
        <Link to="/history" className={styles.settings} onClick={onClose}>
          <History />
          {t('frame.history')}
        </Link>
        <Link to="/settings" className={styles.settings} onClick={onClose}>
          <Settings />
          {t('frame.settings')}
        </Link>
        <Button
          icon={<CircleHelp />}
          onClick={() => {
            onClose();
            onHelp();
          }}
        >
          {t('frame.help')}
        </Button>
        {install && (
          <Button icon={<MonitorDown />} onClick={install}>
            {t('frame.install')}
          </Button>
        )}
        {canSignOut && (
          <Button
            icon={<LogOut />}
            onClick={() => {
              // The prompt about uploads takes its place.
              onClose();
              requestSignOut();
            }}
          >
            {t('frame.signOut')}
          </Button>
        )}
        {pageConfig.Version !== '' && (
          <p className={styles.version}>
            {t('frame.version', { name: 'Filestead', version: pageConfig.Version })}
          </p>
        )}
      </div>
    </Dialog>
  );
}
