import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useEffect } from 'react';
import { pageConfig } from '../../api/page-config.ts';
import { setShellOpen, useShell } from '../../features/files/folder/shell-state.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useLatch } from '../../ui/hooks/use-latch.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';

const ShellPanel = lazyWithTexts(
  async () => (await import('../../features/commands/shell-panel.tsx')).ShellPanel,
  'commands',
);

interface FolderShellProps {
  folder: VirtualPath;
  onOpenFolder: (folder: VirtualPath) => void;
}

/**
 * The shell of the current folder, rendered on demand, for users with permission to use it. It closes when the user
 * leaves the files screen.
 */
export function FolderShell({ folder, onOpenFolder }: FolderShellProps) {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const isOpen = useShell((state) => state.isOpen);
  const wasOpened = useLatch(isOpen);
  useEffect(() => () => setShellOpen(false), []);
  if (!wasOpened || !pageConfig.EnableExec || !user.perm.execute) return null;
  return (
    <Suspense fallback={null}>
      <ShellPanel
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
