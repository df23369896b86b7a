import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation } from '../../ui/navigation/router.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { pageConfig } from '../../api/page-config.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { ArrowLeft, Folder, House, Images, User, Users } from '../../ui/icons.ts';
import { favoritesAddress, recentAddress, tagsAddress } from '../marks/mark-addresses.ts';
import { sharesAddress } from '../routes/file-address.ts';
import '../../ui/feedback/preload-drawings.ts';
import styles from './phone-frame.module.css';
import { youAddress } from '../you/you-address.ts';

/** The screens to which the page You leads. */
const screensOfYou = ['/settings', '/trash', '/history', recentAddress, favoritesAddress, tagsAddress];

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
      <h1
        className={styles.title}
        data-has-back={back ? '' : undefined}
        data-parent={back && displayName(back.name)}
      >
        <bdi>{displayName(title)}</bdi>
      </h1>
      {actions}
    </header>
  );
}

/** The bar at the bottom: the main destinations. `add` is the round button above it. */
export function PhoneNavigation({ add }: { add?: ReactNode }) {
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  return (
    <>
      {add && <div className={styles.add}>{add}</div>}
      <nav className={styles.bottom} aria-label={t('frame.places')}>
        {pageConfig.EnableCatalogue && (
          <PlaceLink to="/home" icon={<House />} isCurrent={pathname === '/home'}>
            {t('frame.home')}
          </PlaceLink>
        )}
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
        <PlaceLink
          to={youAddress}
          icon={<User />}
          isCurrent={pathname === youAddress}
          isAbove={screensOfYou.some((address) => pathname.startsWith(address))}
        >
          {t('frame.you')}
        </PlaceLink>
      </nav>
    </>
  );
}

interface PlaceLinkProps {
  to: string;
  icon: ReactNode;
  isCurrent: boolean;
  /** Whether the current screen is one to which the place leads. */
  isAbove?: boolean;
  children: string;
}

function PlaceLink({ to, icon, isCurrent, isAbove = false, children }: PlaceLinkProps) {
  return (
    <Link to={to} className={styles.place} aria-current={isCurrent ? 'page' : isAbove ? 'true' : undefined}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
