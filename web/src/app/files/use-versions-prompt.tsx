import { parentOf } from '@filestead/contract/paths/virtual-path';
import { Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from '../../ui/navigation/router.tsx';
import { announceChange } from '../../features/files/entries/changes.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { toastWithUndo } from '../../features/files/feedback/undo.ts';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import type { VersionedFile, VersionsHost } from '../../features/versions/versions-host.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';

const VersionsDialog = lazyWithTexts(
  async () => (await import('../../features/versions/versions-dialog.tsx')).VersionsDialog,
  'versions',
);
const VersionStage = lazyWithTexts(
  async () => (await import('./version-stage.tsx')).VersionStage,
  'previews',
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
  const host = useMemo(
    (): VersionsHost => ({
      can: user.perm,
      isPhone,
      renderPreview: (state) => (
        <Suspense fallback={null}>
          <VersionStage state={state} />
        </Suspense>
      ),
      announceChange: (path) => announceChange({ folders: [parentOf(path)] }),
      reveal: (path) => announceChange({ folders: [parentOf(path)], reveal: [path] }),
      notifyWithUndo: toastWithUndo,
      reasonOf: transferFailureReason,
    }),
    [user, isPhone],
  );
  return {
    showVersions,
    versionsPrompt: opening && (
      <Suspense fallback={null}>
        <VersionsDialog
          key={opening.number}
          file={opening.file}
          host={host}
          isOpen={openAt === pathname}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
