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
  FilePlus,
  Folder,
  FolderPlus,
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
import { fileAddress } from '../routes/file-address.ts';
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

const sharesAddress = '/shared';
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
    <aside className={styles.sidebar} aria-label={t('frame.sidebar')} data-state={state}>
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

function Places({
  isCollapsed,
  folder,
  folderDrop,
  onNewFolder,
  onNewFile,
}: SidebarProps & { isCollapsed: boolean }) {
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  // Favorites and the number of shares are loaded after the first folder.
  const late = useLateParts(useFolderTree((state) => state.names.size > 0));
  return (
    <>
      <nav aria-label={t('frame.places')}>
        <ul>
          {[
            ...(pageConfig.EnableCatalogue ? [{ to: '/home', label: t('frame.home'), icon: <House /> }] : []),
            { to: '/recent', label: t('frame.recent'), icon: <Clock /> },
          ].map(({ to, label, icon }) => (
            <li key={to}>
              <PlaceLink
                to={to}
                label={label}
                icon={icon}
                isCurrent={pathname === to}
                isCollapsed={isCollapsed}
              />
            </li>
          ))}
          {isCollapsed && (
            <li>
              <PlaceLink
                to="/files/"
                label={t('frame.myFiles')}
                icon={<Folder />}
                isCurrent={pathname.startsWith('/files')}
                isCollapsed
              />
            </li>
          )}
          {pageConfig.EnableCatalogue && (
            <li>
              <PlaceLink
                to="/photos"
                label={t('frame.photos')}
                icon={<Images />}
                isCurrent={pathname.startsWith('/photos')}
                isCollapsed={isCollapsed}
              />
            </li>
          )}
          {perm.share && (
            <li>
              <PlaceLink
                to={sharesAddress}
                label={t('frame.sharedByMe')}
                icon={<Users />}
                isCurrent={pathname.startsWith(sharesAddress)}
                isCollapsed={isCollapsed}
                end={late && <late.SharedCount />}
              />
            </li>
          )}
          {pageConfig.EnableTrash && (
            <li>
              <PlaceLink
                to="/trash"
                label={t('frame.trash')}
                icon={<Trash2 />}
                isCurrent={pathname.startsWith('/trash')}
                isCollapsed={isCollapsed}
              />
            </li>
          )}
        </ul>
      </nav>
      {!isCollapsed &&
        (late ? (
          <late.FavoritesSection folder={folder} drop={folderDrop} className={styles.section} />
        ) : (
          <FavoritesSpace />
        ))}
      <div className={styles.section}>
        {!isCollapsed && <h2 id="folder-tree-heading">{t('titles.files')}</h2>}
        {(onNewFolder ?? onNewFile) && (
          <MenuTrigger>
            <IconButton size="small" label={t('frame.create')} icon={<Plus />} />
            <Menu placement="bottom end">
              {onNewFolder && (
                <MenuItem icon={<FolderPlus />} onAction={onNewFolder}>
                  {t('frame.newFolder')}
                </MenuItem>
              )}
              {onNewFile && (
                <MenuItem icon={<FilePlus />} onAction={onNewFile}>
                  {t('frame.newFile')}
                </MenuItem>
              )}
            </Menu>
          </MenuTrigger>
        )}
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
