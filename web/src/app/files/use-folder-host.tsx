import { type ReactNode, useMemo } from 'react';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import type { FolderHost, FolderUser } from '../../features/files/folder/folder-host.ts';
import { PromptHost } from '../../features/files/prompts/prompt-host.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { markHost } from '../marks/mark-host.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { archiveAddress, deletedAddress, rewindAddress, spaceAddress } from '../routes/file-address.ts';
import { useSharePrompt } from './use-share-prompt.tsx';
import { useVersionsPrompt } from '../versions/use-versions-prompt.tsx';

const EntryPart = lazyWithTexts(
  async () => (await import('../marks/entry-part.tsx')).EntryPart,
  'history',
  'jobs',
  'marks',
);

/** The functions that a screen implements itself, and those that it replaces. */
export type OwnFunctions = Pick<
  FolderHost,
  'saveView' | 'useViewForAll' | 'chooseUploads' | 'dropUploads' | 'pasteUploads' | 'openSearch'
> &
  Partial<FolderHost>;

/**
 * Returns the host of a screen with entries, and the dialogs that its functions open.
 * @param own has to be stable between renderings
 */
export function useFolderHost(user: FolderUser, own: OwnFunctions): { host: FolderHost; prompts: ReactNode } {
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const { share, sharePrompt } = useSharePrompt();
  const { showVersions, versionsPrompt } = useVersionsPrompt({ user, isPhone });
  const host = useMemo(
    (): FolderHost => ({
      user,
      isPhone,
      openFolder: (path, reveal) =>
        void navigate(fileAddress(path, true), reveal === undefined ? {} : { state: { reveal } }),
      // Closing the file navigates back to this screen.
      openFile: (path) => void navigate(fileAddress(path, false), { state: { isFromFolder: true } }),
      openArchive: (path) => void navigate(archiveAddress(path)),
      addressOf: (path, isFolder) =>
        new URL(`${pageConfig.BaseURL}${fileAddress(path, isFolder)}`, window.location.origin).href,
      openSpace: (folder) => void navigate(spaceAddress(folder)),
      openTrash: (folder) => void navigate(deletedAddress(folder)),
      openRewind: (folder) => void navigate(rewindAddress(folder)),
      showVersions,
      restoreVersion: async (entry, version) =>
        (await import('../versions/restore-from-details.ts')).restoreFromDetails(entry, version),
      share,
      renderPart: (part) => <EntryPart {...part} />,
      ...markHost,
      ...own,
    }),
    [user, isPhone, navigate, share, showVersions, own],
  );
  const prompts = (
    <>
      <PromptHost />
      {sharePrompt}
      {versionsPrompt}
    </>
  );
  return { host, prompts };
}
