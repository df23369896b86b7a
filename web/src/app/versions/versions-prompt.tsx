import { parentOf } from '@filestead/contract/paths/virtual-path';
import { Suspense, useMemo } from 'react';
import { announceChange } from '../../features/files/entries/changes.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import { VersionsDialog } from '../../features/versions/versions-dialog.tsx';
import type { VersionedFile, VersionsHost } from '../../features/versions/versions-host.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { versionChanges } from './restore-from-details.ts';

const VersionStage = lazyWithTexts(
  async () => (await import('./version-stage.tsx')).VersionStage,
  'previews',
);

/** The dialog with the versions of a file of a folder. */
export function VersionsPrompt({
  user,
  isPhone,
  file,
  isOpen,
  onClose,
}: Pick<FolderHost, 'user' | 'isPhone'> & { file: VersionedFile; isOpen: boolean; onClose: () => void }) {
  const host = useMemo(
    (): VersionsHost => ({
      can: user.perm,
      isPhone,
      renderPreview: (state) => (
        <Suspense fallback={null}>
          <VersionStage state={state} />
        </Suspense>
      ),
      ...versionChanges,
      reveal: (path) => announceChange({ folders: [parentOf(path)], reveal: [path] }),
      reasonOf: transferFailureReason,
    }),
    [user, isPhone],
  );
  return <VersionsDialog file={file} host={host} isOpen={isOpen} onClose={onClose} />;
}
