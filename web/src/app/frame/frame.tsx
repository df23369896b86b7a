import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useLocation } from '../../ui/navigation/router.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import type { FolderDrop } from '../../features/files/clipboard/use-folder-drop.ts';
import { useLostFocus } from '../../ui/hooks/use-lost-focus.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PanelLeft } from '../../ui/icons.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { useLazyPart } from '../../ui/overlays/lazy-part.ts';
import styles from './frame.module.css';
import { HistoryButtons } from './history-buttons.tsx';
import type { PhoneTop } from './phone-frame.tsx';
import { phonePart } from './phone-part.ts';
import { Sidebar } from './sidebar.tsx';
import { closeDrawer, toggleSidebar, useSidebarState } from './sidebar-state.ts';
import { sidebarShortcut } from './frame-actions.ts';
import { useFrameDialogs, type PaletteParts } from './use-frame-dialogs.tsx';

export interface FrameProps extends PaletteParts {
  /** The start of the top bar: the breadcrumbs, the last of which is the page's `h1`. */
  header: ReactNode;
  /** Whether the top bar has no buttons for back and forward at its start. */
  hidesHistory?: boolean | undefined;
  /** The controls at the end of the top bar. The path takes the remaining space. */
  actions?: ReactNode;
  /** The top bar of the phone, which shows no breadcrumbs. */
  phone: PhoneTop & {
    /** The end of the phone's top bar. */
    actions?: ReactNode;
    /** The round button above the navigation. */
    add?: ReactNode;
    /** Replaces title and actions, for example by "3 selected". Its own landmark. */
    topBar?: ReactNode;
  };
  /** The folder whose file system the usage bar describes. Absent: no bar. */
  usagePath?: VirtualPath | undefined;
  /** Creates a folder, offered in the sidebar; absent without the permission to create. */
  onNewFolder?: (() => void) | undefined;
  onNewFile?: (() => void) | undefined;
  /** The folder that the tree in the sidebar marks, and the drops that its folders accept. */
  folder?: VirtualPath | undefined;
  folderDrop?: FolderDrop | undefined;
  /** Replaces places and tree in the sidebar, for example by the list of settings. It contains its own landmark. */
  navigation?: ReactNode;
  /** The panel beside the content. It contains its own `aside`; a sheet on the phone. */
  details?: ReactNode;
  /**
   * The panel below content and details, over their whole width; it contains its own landmark. A sheet on the phone.
   */
  panel?: ReactNode;
  /** Whether an opened file covers the frame: then neither the keyboard nor screen readers reach it. */
  isCovered?: boolean | undefined;
  /** Returns the focus to the screen after its element was removed. Default: to the content. */
  regainFocus?: (() => void) | undefined;
  /** The content, which is its own scroll container; as a function it gets the one that shows the help. */
  children: ReactNode | ((showHelp: () => void) => ReactNode);
}

/** The frame of every screen of a signed-in user. Positioned elements of the content are inside `main`. */
export function Frame({
  header,
  hidesHistory,
  actions,
  phone,
  details,
  panel,
  commands,
  folderScreen,
  onOpenTyped,
  isCovered = false,
  regainFocus,
  children,
  ...sidebar
}: FrameProps) {
  const { t } = useTranslation('app');
  const isPhone = useIsPhone();
  const bars = useLazyPart(phonePart, isPhone, () => undefined);
  const main = useRef<HTMLElement>(null);
  const { showHelp, showPalette, dialogs } = useFrameDialogs({ commands, folderScreen, onOpenTyped });
  const sidebarState = useSidebarState();
  useDrawer(sidebarState === 'drawer', main);
  useLostFocus(regainFocus ?? (() => main.current?.focus()));
  const { topBar, add, actions: phoneActions, ...phoneTop } = phone;
  const content = (
    <main ref={main} className={styles.main} tabIndex={-1}>
      {typeof children === 'function' ? children(showHelp) : children}
    </main>
  );
  return (
    <div
      className={styles.frame}
      data-phone={isPhone || undefined}
      data-sidebar={sidebarState}
      inert={isCovered}
    >
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t('frame.skip')}
      </button>
      {isPhone ? (
        <>
          {topBar ?? (bars && <bars.PhoneTopBar {...phoneTop} actions={phoneActions} />)}
          {content}
          {details}
          {panel}
          {bars && <bars.PhoneNavigation add={add} />}
        </>
      ) : (
        <>
          {sidebarState !== 'hidden' && (
            <Sidebar {...sidebar} state={sidebarState} onHelp={showHelp} onPalette={showPalette} />
          )}
          {sidebarState === 'drawer' && (
            <button
              type="button"
              className={styles.scrim}
              tabIndex={-1}
              aria-label={t('frame.closeSidebar')}
              onClick={closeDrawer}
            />
          )}
          <div className={styles.sheet} inert={sidebarState === 'drawer'}>
            <header className={styles.top} data-top-bar="">
              {(sidebarState === 'hidden' || sidebarState === 'drawer') && (
                <IconButton
                  size="small"
                  label={t('frame.openSidebar')}
                  shortcut={sidebarShortcut}
                  icon={<PanelLeft />}
                  onClick={toggleSidebar}
                />
              )}
              {!hidesHistory && <HistoryButtons />}
              <div className={styles.crumbs}>{header}</div>
              {actions}
            </header>
            <div className={styles.beside}>
              {content}
              {details && <div className={styles.details}>{details}</div>}
            </div>
            {panel}
          </div>
        </>
      )}
      {dialogs}
    </div>
  );
}

/** Closes the open drawer on Escape and on navigation, and then returns the focus to the content. */
function useDrawer(isOpen: boolean, main: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const shownKey = useRef(key);
  useEffect(() => {
    if (shownKey.current !== key) closeDrawer();
    shownKey.current = key;
  }, [key]);
  useEffect(() => closeDrawer, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    const content = main.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      closeDrawer();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      content?.focus({ preventScroll: true });
    };
  }, [isOpen, main]);
}
