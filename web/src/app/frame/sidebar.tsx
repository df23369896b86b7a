import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation } from '../../ui/navigation/router.tsx';
import { pageConfig, productName } from '../../api/page-config.ts';
import type { FolderDrop } from '../../features/files/clipboard/use-folder-drop.ts';
import { FolderTree } from '../../features/files/tree/folder-tree.tsx';
import { useFolderTree } from '../../features/files/tree/tree-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import {
  ChevronsLeft,
  ChevronsRight,
  Clock,
  Folder,
  House,
  Images,
  Plus,
  Settings,
  Trash2,
  Users,
} from '../../ui/icons.ts';
import { lazyPart } from '../../ui/overlays/lazy-part.ts';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { Tooltip, type TooltipTriggerProps } from '../../ui/overlays/tooltip.tsx';
import { recentAddress } from '../marks/mark-addresses.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { sharesAddress } from '../routes/file-address.ts';
import { FavoritesSpace } from '../marks/favorites-space.tsx';
import { afterFirstScreen } from '../marks/after-first-screen.ts';
import { AccountMenu } from './account-menu.tsx';
import { sidebarShortcut } from './frame-actions.ts';
import { toggleSidebar, type SidebarState } from './sidebar-state.ts';
import styles from './sidebar.module.css';
import { isUsageShown, StorageUsage } from './storage-usage.tsx';

const lateParts = lazyPart(() => import('./late-parts.ts'));

/** Returns the parts that are loaded once the entries of the first screen and their code have arrived; null before that. */
function useLateParts(isReady: boolean) {
  const [, renderAgain] = useState(lateParts.peek());
  useEffect(() => {
    if (!isReady || lateParts.peek() !== null) return undefined;
    let isMounted = true;
    // Their places stay empty if they cannot be fetched; the next screen tries again.
    afterFirstScreen()
      .then(lateParts.load)
      .then(
        (part) => isMounted && renderAgain(part),
        () => undefined,
      );
    return () => {
      isMounted = false;
    };
  }, [isReady]);
  return isReady ? lateParts.peek() : null;
}

const addressOfFolder = (folder: VirtualPath): string => fileAddress(folder, true);

export interface SidebarProps {
  state: Exclude<SidebarState, 'hidden'>;
  usagePath?: VirtualPath | undefined;
  /** Offered only with the permission to create. */
  onNewFolder?: (() => void) | undefined;
  onNewFile?: (() => void) | undefined;
  /** The folder that the tree marks; absent outside the files. */
  folder?: VirtualPath | undefined;
  folderDrop?: FolderDrop | undefined;
  /** Replaces places and tree. It contains its own landmark. */
  navigation?: ReactNode;
  onHelp: () => void;
  onPalette: () => void;
}

/** The sidebar: the name of the installation, the places, the tree of folders, storage usage, and the user's menu. */
export function Sidebar(props: SidebarProps) {
  const { state, usagePath, navigation, onHelp, onPalette } = props;
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  const isCollapsed = state === 'icons';
  const isAtSettings = pathname.startsWith('/settings');
  return (
    <aside
      className={styles.sidebar}
      aria-label={t('frame.sidebar')}
      data-state={state}
      data-settings={navigation && ''}
    >
      <div className={styles.brand}>
        <Link to="/files/" className={styles.product} aria-label={isCollapsed ? productName : undefined}>
          <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={34} height={34} />
          {!isCollapsed && (
            <span className={styles.names}>
              <bdi className={styles.name}>{productName}</bdi>
              {productName !== 'Filestead' && <span className={styles.maker}>Filestead</span>}
            </span>
          )}
        </Link>
        <IconButton
          size="small"
          label={t(isCollapsed ? 'frame.expandSidebar' : 'frame.collapseSidebar')}
          shortcut={sidebarShortcut}
          icon={isCollapsed ? <ChevronsRight /> : <ChevronsLeft />}
          onClick={toggleSidebar}
        />
      </div>
      <div className={styles.scroller}>{navigation ?? <Places {...props} isCollapsed={isCollapsed} />}</div>
      <div className={styles.footer}>
        {isUsageShown(usagePath) && <StorageUsage path={usagePath} isCollapsed={isCollapsed} />}
        <div className={styles.account}>
          <AccountMenu isCollapsed={isCollapsed} onHelp={onHelp} onPalette={onPalette} />
          <Tooltip text={t('frame.settings')} isDescription={false}>
            <Link
              to="/settings"
              className={styles.settings}
              aria-label={t('frame.settings')}
              aria-current={isAtSettings ? 'page' : undefined}
            >
              <Settings />
            </Link>
          </Tooltip>
        </div>
      </div>
    </aside>
  );
}

type PlacesProps = Pick<SidebarProps, 'folder' | 'folderDrop' | 'onNewFolder' | 'onNewFile'> & {
  isCollapsed: boolean;
};

/** The places, the favorites and the tree of folders. */
function Places({ isCollapsed, folder, folderDrop, onNewFolder, onNewFile }: PlacesProps) {
  const { t } = useTranslation('app');
  // Favorites and the number of shares are loaded after the first folder.
  const late = useLateParts(useFolderTree((state) => state.names.size > 0));
  return (
    <>
      <nav aria-label={t('frame.places')}>
        <PlaceList isCollapsed={isCollapsed} shareCount={late && <late.SharedCount />} />
      </nav>
      {!isCollapsed &&
        (late ? (
          <late.FavoritesSection folder={folder} drop={folderDrop} className={styles.section} />
        ) : (
          <FavoritesSpace />
        ))}
      <div className={styles.section}>
        {!isCollapsed && <h2 id="folder-tree-heading">{t('titles.files')}</h2>}
        <CreateMenu onNewFolder={onNewFolder} onNewFile={onNewFile} />
      </div>
      {!isCollapsed && (
        <FolderTree
          labelledBy="folder-tree-heading"
          rootLabel={t('frame.myFiles')}
          current={folder}
          drop={folderDrop}
          addressOf={addressOfFolder}
        />
      )}
    </>
  );
}

/** The places besides the folders. My files is one of them only while the tree is hidden. */
function PlaceList({ isCollapsed, shareCount }: { isCollapsed: boolean; shareCount: ReactNode }) {
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  const { EnableCatalogue, EnableTrash } = pageConfig;
  const places = [
    { to: '/home', label: t('frame.home'), icon: <House />, isShown: EnableCatalogue },
    { to: recentAddress, label: t('frame.recent'), icon: <Clock />, isShown: true },
    { to: '/files/', label: t('frame.myFiles'), icon: <Folder />, isShown: isCollapsed },
    { to: '/photos', label: t('frame.photos'), icon: <Images />, isShown: EnableCatalogue },
    {
      to: sharesAddress,
      label: t('frame.sharedByMe'),
      icon: <Users />,
      isShown: perm.share,
      end: shareCount,
    },
    { to: '/trash', label: t('frame.trash'), icon: <Trash2 />, isShown: EnableTrash },
  ];
  return (
    <ul>
      {places.map(
        ({ isShown, to, ...place }) =>
          isShown && (
            <li key={to}>
              <PlaceLink {...place} to={to} isCurrent={pathname.startsWith(to)} isCollapsed={isCollapsed} />
            </li>
          ),
      )}
    </ul>
  );
}

/** The button with the menu that creates entries, for users who may. */
function CreateMenu({ onNewFolder, onNewFile }: Pick<SidebarProps, 'onNewFolder' | 'onNewFile'>) {
  const { t } = useTranslation('app');
  if (!onNewFolder && !onNewFile) return null;
  return (
    <MenuTrigger>
      <IconButton size="small" label={t('frame.create')} icon={<Plus />} />
      <Menu placement="bottom end">
        {onNewFolder && (
          <MenuItem icon="folderPlus" onAction={onNewFolder}>
            {t('frame.newFolder')}
          </MenuItem>
        )}
        {onNewFile && (
          <MenuItem icon="filePlus" onAction={onNewFile}>
            {t('frame.newFile')}
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}

interface PlaceLinkProps {
  to: string;
  label: string;
  icon: ReactNode;
  isCurrent: boolean;
  isCollapsed: boolean;
  /** Content after the label; hidden while the sidebar is collapsed. */
  end?: ReactNode;
}

/** An item of the sidebar: an icon with its label, or with a tooltip while the sidebar is collapsed. */
export function PlaceLink({ to, label, icon, isCurrent, isCollapsed, end }: PlaceLinkProps) {
  return (
    <Hint text={label} isShown={isCollapsed}>
      <Link
        to={to}
        className={styles.item}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={isCollapsed ? label : undefined}
      >
        {icon}
        {!isCollapsed && <span>{label}</span>}
        {!isCollapsed && end}
      </Link>
    </Hint>
  );
}

/** The label of an item that is collapsed to its icon. */
function Hint({
  text,
  isShown,
  children,
}: {
  text: string;
  isShown: boolean;
  children: ReactElement<TooltipTriggerProps>;
}) {
  if (!isShown) return children;
  return (
    <Tooltip text={text} isDescription={false}>
      {children}
    </Tooltip>
  );
}
