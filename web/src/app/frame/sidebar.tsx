import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation, type LinkProps } from 'react-router';
import { pageConfig, productName } from '../../api/page-config.ts';
import { useFolderDrop, type FolderDrop } from '../../features/files/clipboard/use-folder-drop.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import {
  CircleHelp,
  FilePlus,
  Folder,
  FolderPlus,
  LogOut,
  PanelLeft,
  Settings,
  Share2,
  Trash2,
} from '../../ui/icons.ts';
import { Tooltip, type TooltipTriggerProps } from '../../ui/overlays/tooltip.tsx';
import { canSignOut, requestSignOut } from './account.ts';
import { AccountMenu } from './account-menu.tsx';
import { toggleSidebar, useIsSidebarCollapsed } from './sidebar-state.ts';
import styles from './sidebar.module.css';
import { isUsageShown, StorageUsage } from './storage-usage.tsx';

const sharesAddress = '/settings/shares';

export interface SidebarProps {
  usagePath?: VirtualPath | undefined;
  /** Offered only with the permission to create. */
  onNewFolder?: (() => void) | undefined;
  onNewFile?: (() => void) | undefined;
  /** The drop handlers of the topmost folder. */
  topFolderDrop?: FolderDrop | undefined;
  onHelp: () => void;
  onPalette: () => void;
}

/** The sidebar: destinations, create buttons, storage usage, and the user's menu. */
export function Sidebar(props: SidebarProps) {
  const { usagePath, onNewFolder, onNewFile, topFolderDrop, onHelp, onPalette } = props;
  const { t } = useTranslation('app');
  const isCollapsed = useIsSidebarCollapsed();
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  const dropping = useFolderDrop(rootPath, topFolderDrop);
  const isAtShares = pathname.startsWith(sharesAddress);
  const toggle = (
    <IconButton
      label={t(isCollapsed ? 'frame.expandSidebar' : 'frame.collapseSidebar')}
      shortcut="["
      icon={<PanelLeft />}
      onClick={toggleSidebar}
    />
  );
  return (
    <aside
      className={styles.sidebar}
      aria-label={t('frame.sidebar')}
      data-collapsed={isCollapsed || undefined}
    >
      <div className={styles.brand}>
        {!isCollapsed && (
          <Link to="/files/" className={styles.product}>
            <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={28} height={28} />
            <bdi className={styles.name}>{productName}</bdi>
          </Link>
        )}
        {toggle}
      </div>
      <nav className={styles.places} aria-label={t('frame.places')}>
        <ul>
          <li>
            <ItemLink
              to="/files/"
              label={t('frame.myFiles')}
              icon={<Folder className={styles.folder} />}
              isCurrent={pathname.startsWith('/files')}
              isCollapsed={isCollapsed}
              {...dropping}
            />
          </li>
          {perm.share && (
            <li>
              <ItemLink
                to={sharesAddress}
                label={t('frame.sharedByMe')}
                icon={<Share2 />}
                isCurrent={isAtShares}
                isCollapsed={isCollapsed}
              />
            </li>
          )}
          {pageConfig.EnableTrash && (
            <li>
              <ItemLink
                to="/trash"
                label={t('frame.trash')}
                icon={<Trash2 />}
                isCurrent={pathname.startsWith('/trash')}
                isCollapsed={isCollapsed}
              />
            </li>
          )}
        </ul>
        {(onNewFolder ?? onNewFile) && (
          <ul className={styles.group}>
            {onNewFolder && (
              <li>
                <ItemButton
                  label={t('frame.newFolder')}
                  icon={<FolderPlus />}
                  isCollapsed={isCollapsed}
                  onClick={onNewFolder}
                />
              </li>
            )}
            {onNewFile && (
              <li>
                <ItemButton
                  label={t('frame.newFile')}
                  icon={<FilePlus />}
                  isCollapsed={isCollapsed}
                  onClick={onNewFile}
                />
              </li>
            )}
          </ul>
        )}
        <ul className={styles.group}>
          <li>
            <ItemLink
              to="/settings"
              label={t('frame.settings')}
              icon={<Settings />}
              isCurrent={pathname.startsWith('/settings') && !isAtShares}
              isCollapsed={isCollapsed}
            />
          </li>
          <li>
            <ItemButton
              label={t('frame.help')}
              icon={<CircleHelp />}
              isCollapsed={isCollapsed}
              onClick={onHelp}
            />
          </li>
          {canSignOut && (
            <li>
              <ItemButton
                label={t('frame.signOut')}
                icon={<LogOut />}
                isCollapsed={isCollapsed}
                onClick={requestSignOut}
              />
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.foot}>
        {isUsageShown(usagePath) && <StorageUsage path={usagePath} isCollapsed={isCollapsed} />}
        <AccountMenu isCollapsed={isCollapsed} onHelp={onHelp} onPalette={onPalette} />
        {!isCollapsed && pageConfig.Version !== '' && (
          <p className={styles.version}>
            {t('frame.version', { name: 'Filestead', version: pageConfig.Version })}
          </p>
        )}
      </div>
    </aside>
  );
}

interface ItemLinkProps extends Omit<LinkProps, 'className' | 'children'> {
  label: string;
  icon: ReactNode;
  isCurrent: boolean;
  isCollapsed: boolean;
}

function ItemLink({ label, icon, isCurrent, isCollapsed, ...link }: ItemLinkProps) {
  return (
    <Hint text={label} isShown={isCollapsed}>
      <Link
        {...link}
        className={styles.item}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={isCollapsed ? label : undefined}
      >
        {icon}
        {!isCollapsed && <span>{label}</span>}
      </Link>
    </Hint>
  );
}

interface ItemButtonProps {
  label: string;
  icon: ReactNode;
  isCollapsed: boolean;
  onClick: () => void;
}

function ItemButton({ label, icon, isCollapsed, onClick }: ItemButtonProps) {
  return (
    <Hint text={label} isShown={isCollapsed}>
      <button
        type="button"
        className={styles.item}
        aria-label={isCollapsed ? label : undefined}
        onClick={onClick}
      >
        {icon}
        {!isCollapsed && <span>{label}</span>}
      </button>
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
