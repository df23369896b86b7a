import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useEffect, useState } from 'react';
import { pageConfig } from '../../api/page-config.ts';
import type { ShellSessionHolder } from '../../features/commands/shell-panel.tsx';
import { setShellOpen, useShell } from '../../features/files/folder/shell-state.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useLatch } from '../../ui/hooks/use-latch.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';

const ShellPanel = lazyWithTexts(
  async () => (await import('../../features/commands/shell-panel.tsx')).ShellPanel,
  'commands',
);

/** The shell session of the files screen. When the user leaves the screen, its command is stopped and the shell closes. */
export function useShellSession(): ShellSessionHolder {
  const [holder] = useState<ShellSessionHolder>({ current: null });
  useEffect(
    () => () => {
      holder.current?.stop();
      holder.current = null;
      setShellOpen(false);
    },
    [holder],
  );
  return holder;
}

interface FolderShellProps {
  holder: ShellSessionHolder;
  folder: VirtualPath;
  onOpenFolder: (folder: VirtualPath) => void;
}

/** The shell of the current folder, rendered on demand, for users with permission to use it. */
export function FolderShell({ holder, folder, onOpenFolder }: FolderShellProps) {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const isOpen = useShell((state) => state.isOpen);
  const wasOpened = useLatch(isOpen);
  if (!wasOpened || !pageConfig.EnableExec || !user.perm.execute) return null;
  return (
    <Suspense fallback={null}>
      <ShellPanel
        holder={holder}
        folder={folder}
        allowed={user.commands}
        isOpen={isOpen}
        isPhone={isPhone}
        onClose={() => setShellOpen(false)}
        onOpenFolder={onOpenFolder}
      />
    </Suspense>
  );
}
