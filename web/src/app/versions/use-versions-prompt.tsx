import { Suspense, type ReactNode } from 'react';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import type { VersionedFile } from '../../features/versions/versions-host.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTargetDialog } from '../../ui/hooks/use-target-dialog.ts';

const VersionsPrompt = lazyWithTexts(
  async () => (await import('./versions-prompt.tsx')).VersionsPrompt,
  'versions',
);

/** The dialog with the versions of a file. Its code is loaded when it is first opened; navigation closes it. */
export function useVersionsPrompt({ user, isPhone }: Pick<FolderHost, 'user' | 'isPhone'>): {
  showVersions: (file: VersionedFile) => void;
  versionsPrompt: ReactNode;
} {
  const { opening, isOpen, open, close } = useTargetDialog<VersionedFile>();
  return {
    showVersions: open,
    versionsPrompt: opening && (
      <Suspense fallback={null}>
        <VersionsPrompt
          key={opening.number}
          user={user}
          isPhone={isPhone}
          file={opening.target}
          isOpen={isOpen}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
