import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { useLocation } from '../../ui/navigation/router.tsx';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import type { VersionedFile } from '../../features/versions/versions-host.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';

const VersionsPrompt = lazyWithTexts(
  async () => (await import('./versions-prompt.tsx')).VersionsPrompt,
  'versions',
);

/** The dialog with the versions of a file. Its code is loaded when it is first opened; navigation closes it. */
export function useVersionsPrompt({ user, isPhone }: Pick<FolderHost, 'user' | 'isPhone'>): {
  showVersions: (file: VersionedFile) => void;
  versionsPrompt: ReactNode;
} {
  const { pathname } = useLocation();
  const [opening, setOpening] = useState<{ number: number; file: VersionedFile } | null>(null);
  /** The address at which the dialog is open. */
  const [openAt, setOpenAt] = useState<string | null>(null);
  const showVersions = useCallback(
    (file: VersionedFile) => {
      setOpening((last) => ({ number: (last?.number ?? 0) + 1, file }));
      setOpenAt(pathname);
    },
    [pathname],
  );
  const close = useCallback(() => setOpenAt(null), []);
  return {
    showVersions,
    versionsPrompt: opening && (
      <Suspense fallback={null}>
        <VersionsPrompt
          key={opening.number}
          user={user}
          isPhone={isPhone}
          file={opening.file}
          isOpen={openAt === pathname}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
