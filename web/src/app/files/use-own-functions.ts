import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type RefObject, useMemo } from 'react';
import { forgetFolderViews, saveFolderView } from '../../features/files/folder/folder-views.ts';
import { applyTilesToAll } from '../../features/files/folder/view-options.ts';
import { type CurrentUser, updateOwnUser } from '../../features/sessions/session-store.ts';
import type { SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { startOfSearch } from '../routes/file-address.ts';
import { fileUploads } from './file-uploads.ts';
import type { OwnFunctions } from './use-folder-host.tsx';

/** Returns what a folder can do only where a user is signed in: save views, upload and search. */
export function useOwnFunctions(
  user: CurrentUser,
  folder: VirtualPath,
  searchBox: RefObject<SearchBoxHandle | null>,
): OwnFunctions {
  const navigate = useNavigate();
  return useMemo(
    () => ({
      saveView: (change) => saveFolderView(user.id, folder, change),
      useViewForAll: async () => {
        await updateOwnUser({ viewMode: user.viewMode, sorting: user.sorting });
        applyTilesToAll();
        forgetFolderViews(user.id);
      },
      chooseUploads: fileUploads.choose,
      dropUploads: fileUploads.drop,
      pasteUploads: fileUploads.paste,
      openSearch: () => {
        if (searchBox.current) searchBox.current.focus();
        else void navigate(startOfSearch('', folder));
      },
    }),
    [user, folder, searchBox, navigate],
  );
}
