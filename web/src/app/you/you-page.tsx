import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { ReactNode } from 'react';
import { pageConfig, productName } from '../../api/page-config.ts';
import { useInstall } from '../../features/installable/install-offer.ts';
import { useMarks } from '../../features/marks/marks-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { formatNumber, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { openTray, useTray } from '../../ui/feedback/tray/tray-store.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import {
  ChevronRight,
  CircleHelp,
  Clock,
  History,
  LogOut,
  MonitorDown,
  Search,
  Star,
  Tag,
  Trash2,
  Upload,
} from '../../ui/icons.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { Link, Navigate, useNavigate } from '../../ui/navigation/router.tsx';
import { canSignOut, requestSignOut } from '../frame/account.ts';
import { Frame } from '../frame/frame.tsx';
import { isUsageShown, StorageUsage } from '../frame/storage-usage.tsx';
import { useLoadedMarks } from '../marks/favorites-section.tsx';
import { favoritesAddress, recentAddress, tagsAddress } from '../marks/mark-addresses.ts';
import { startOfSearch } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { useSettingsPages } from '../routes/settings-pages.tsx';
import { useTrashCount } from './use-trash-count.ts';
import styles from './you-page.module.css';

/**
 * The page of the user on the phone: the places that have no tab, what is in progress, the settings and Logout. Wider
 * windows show all of this beside the content, so that there the address leads to the settings.
 */
export function YouPage() {
  return useIsPhone() ? <You /> : <Navigate to="/settings" replace />;
}

function You() {
  const { t } = useTranslation(['app', 'settings']);
  const navigate = useNavigate();
  const user = useCurrentUser();
  usePageTitle(t('frame.you'));
  return (
    <Frame
      header={null}
      phone={{
        title: t('frame.you'),
        actions: (
          <IconButton
            label={t('search')}
            icon={<Search />}
            hasTooltip={false}
            onClick={() => void navigate(startOfSearch('', rootPath))}
          />
        ),
      }}
    >
      {(showHelp) => (
        <div className={styles.page}>
          <div className={styles.who}>
            <Avatar name={user.username} size={56} />
            <div className={styles.texts}>
              <p className={styles.name}>
                <bdi>{user.username}</bdi>
              </p>
              <p className={styles.role}>
                <bdi>{productName}</bdi>
                {' · '}
                {t(user.perm.admin ? 'settings:profile.administrator' : 'settings:profile.user')}
              </p>
            </div>
          </div>
          {isUsageShown(rootPath) && (
            <div className={styles.storage}>
              <StorageUsage path={rootPath} />
            </div>
          )}
          <nav aria-label={t('frame.you')}>
            <Places />
          </nav>
          <nav aria-label={t('settings:title')} className={styles.group}>
            <Activity />
            <SettingsRows />
          </nav>
          <div className={styles.group}>
            <General showHelp={showHelp} />
          </div>
          {pageConfig.Version !== '' && (
            <p className={styles.version}>
              {t('frame.version', { name: 'Filestead', version: pageConfig.Version })}
            </p>
          )}
        </div>
      )}
    </Frame>
  );
}

interface RowProps {
  icon: ReactNode;
  label: string;
  /** A number or a state at the end. */
  note?: string | undefined;
}

/** A row that leads to another page. */
function PlaceRow({ to, icon, label, note }: RowProps & { to: string }) {
  return (
    <Link to={to} className={styles.row}>
      {icon}
      <span className={styles.label}>{label}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      <ChevronRight className={styles.arrow} />
    </Link>
  );
}

/** A row that runs an action. */
function ActionRow({
  icon,
  label,
  note,
  isDisabled = false,
  onClick,
}: RowProps & { isDisabled?: boolean; onClick: () => void }) {
  return (
    <button type="button" className={styles.row} disabled={isDisabled} onClick={onClick}>
      {icon}
      <span className={styles.label}>{label}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </button>
  );
}

/** The places that have no tab, with the numbers of their items. */
function Places() {
  const { t } = useTranslation('app');
  const { id } = useCurrentUser();
  useLoadedMarks(id);
  const { userId, favorites, tags } = useMarks();
  const isLoaded = userId === id && favorites !== null;
  const inTrash = useTrashCount();
  return (
    <>
      <PlaceRow to={recentAddress} icon={<Clock />} label={t('frame.recent')} />
      <PlaceRow
        to={favoritesAddress}
        icon={<Star />}
        label={t('marks.favorites')}
        note={isLoaded ? formatNumber(favorites.length) : undefined}
      />
      <PlaceRow
        to={tagsAddress}
        icon={<Tag />}
        label={t('frame.tags')}
        note={isLoaded ? formatNumber(tags.length) : undefined}
      />
      {pageConfig.EnableTrash && (
        <PlaceRow
          to="/trash"
          icon={<Trash2 />}
          label={t('frame.trash')}
          note={inTrash === null ? undefined : formatNumber(inTrash)}
        />
      )}
      <PlaceRow to="/history" icon={<History />} label={t('frame.history')} />
    </>
  );
}

/** Opens the card of uploads and jobs, if there are any. */
function Activity() {
  const { t } = useTranslation('settings');
  const sections = Object.values(useTray(({ summaries }) => summaries)).filter(
    (section) => section !== undefined,
  );
  const running = sections.filter(({ isBusy }) => isBusy).length;
  const alerts = sections.reduce((sum, section) => sum + section.alerts, 0);
  const state =
    alerts > 0
      ? t('you.alerts', pluralValues(alerts))
      : running > 0
        ? t('you.running')
        : t(sections.length === 0 ? 'you.idle' : 'you.done');
  return (
    <ActionRow
      icon={<Upload />}
      label={t('you.activity')}
      note={state}
      isDisabled={sections.length === 0}
      onClick={openTray}
    />
  );
}

function SettingsRows() {
  const { t } = useTranslation('settings');
  return useSettingsPages().map(({ id, icon }) => (
    <PlaceRow key={id} to={`/settings/${id}`} icon={icon} label={t(`nav.${id}`)} />
  ));
}

function General({ showHelp }: { showHelp: () => void }) {
  const { t } = useTranslation('app');
  const install = useInstall();
  return (
    <>
      <ActionRow icon={<CircleHelp />} label={t('frame.help')} onClick={showHelp} />
      {install && <ActionRow icon={<MonitorDown />} label={t('frame.install')} onClick={install} />}
      {canSignOut && <ActionRow icon={<LogOut />} label={t('frame.signOut')} onClick={requestSignOut} />}
    </>
  );
}
