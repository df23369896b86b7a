import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { startCommand } from './command-socket.ts';
import { HeightHandle } from './height-handle.tsx';
import { clampHeight, saveHeight, loadHeight } from './shell-height.ts';
import styles from './shell-panel.module.css';
import { ShellSession } from './shell-session.ts';
import { Terminal } from './terminal.tsx';

/** Contains the session of a shell, created when the shell opens for the first time. */
export interface ShellSessionHolder {
  current: ShellSession | null;
}

export interface ShellPanelProps {
  /** Survives the panel, which is rendered again when the window becomes as narrow as a phone. */
  holder: ShellSessionHolder;
  /** The folder in which commands run. */
  folder: VirtualPath;
  /** The programs that the user may run. */
  allowed: readonly string[];
  isOpen: boolean;
  isPhone: boolean;
  onClose: () => void;
  /** Opens another folder; called by `cd`. */
  onOpenFolder: (folder: VirtualPath) => void;
}

/**
 * The shell below the file listing, or in a dialog on phones. While it is closed it keeps its output and its command
 * continues; both end when the owner of the holder stops the session.
 */
export function ShellPanel(props: ShellPanelProps) {
  const { holder, folder, allowed, isOpen, isPhone, onClose, onOpenFolder } = props;
  const { t } = useTranslation('commands');
  const [session] = useState(() => (holder.current ??= new ShellSession(startCommand)));
  const [height, setHeight] = useState(loadHeight);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const onResize = () => setHeight(clampHeight);
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  useReturningFocus(isOpen && !isPhone, panel);
  useKeyWithin(panel, isOpen && !isPhone, (event) => {
    if (event.key !== 'Escape' && !(event.ctrlKey && event.code === 'Backquote')) return;
    event.preventDefault();
    onClose();
  });

  const terminal = (
    <Terminal
      session={session}
      folder={folder}
      allowed={allowed}
      onClose={onClose}
      onOpenFolder={onOpenFolder}
      hasTitle={!isPhone}
    />
  );
  if (isPhone) {
    return (
      <Dialog title={t('title')} isOpen={isOpen} onClose={onClose} isFlush>
        <div className={styles.sheet} data-stage>
          {terminal}
        </div>
      </Dialog>
    );
  }
  if (!isOpen) return null;
  return (
    <section ref={panel} className={styles.panel} aria-label={t('title')} style={{ blockSize: height }}>
      <HeightHandle
        height={height}
        onChange={(next) => {
          setHeight(next);
          saveHeight(next);
        }}
      />
      {terminal}
    </section>
  );
}

/** Returns the focus to the previously focused element when `panel` closes while the focus is in it. */
function useReturningFocus(isOpen: boolean, panel: { current: HTMLElement | null }): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const previousFocus = document.activeElement;
    const opened = panel.current;
    opened?.querySelector('textarea')?.focus();
    return () => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || opened?.contains(activeElement);
      if (isFree && previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, [isOpen, panel]);
}
