import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect } from 'react';
import { useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { sharedQuery } from '../../features/installable/worker-names.ts';
import { openPrompt } from '../../features/files/prompts/prompt-store.ts';
import { i18n, loadTexts } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { fileUploads } from './file-uploads.ts';

/** If the screen was opened by sharing files with the application, asks for the folder to upload them to. */
export function useSharedFiles(folder: VirtualPath, canCreate: boolean): void {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isShared = new URLSearchParams(search).has(sharedQuery);
  useEffect(() => {
    if (!isShared) return;
    // Prevents a reload from asking again.
    void navigate(pathname, { replace: true });
    askForDestination(folder, canCreate).catch(() =>
      showToast({ tone: 'error', message: i18n.t('partNotLoaded') }),
    );
  }, [isShared, pathname, navigate, folder, canCreate]);
}

async function askForDestination(start: VirtualPath, canCreate: boolean): Promise<void> {
  await loadTexts('installable');
  const { takeSharedFiles } = await import('../../features/installable/shared-items.ts');
  const files = await takeSharedFiles(i18n.t('shared.textName', { ns: 'installable' }));
  if (files.length === 0 || !canCreate) {
    const reason = canCreate ? 'shared.unreadable' : 'shared.forbidden';
    showToast({ tone: 'error', message: i18n.t(reason, { ns: 'installable' }) });
    return;
  }
  openPrompt({
    kind: 'destination',
    transfer: 'upload',
    entries: [],
    names: files.map(({ name }) => name),
    start,
    canCreate,
    onChosen: (destination) => fileUploads.addShared(files, destination),
  });
}
