import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useLayoutEffect, useMemo } from 'react';
import { saveFolderView, useFolderView } from '../../features/files/folder/folder-views.ts';
import { useIsPhotoFolder, viewOf } from '../../features/files/folder/photo-folder.ts';
import { showTilesOf } from '../../features/files/folder/view-options.ts';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import type { CurrentUser } from '../../features/sessions/session-store.ts';

/** Returns the user with the view and the order of the folder, and applies the size of its tiles. */
export function useUserInFolder(account: CurrentUser, folder: VirtualPath, model: ListingModel): CurrentUser {
  const view = useFolderView(account.id, folder);
  const isPhotoFolder = useIsPhotoFolder(model);
  useLayoutEffect(
    () =>
      showTilesOf({
        step: view?.tileStep,
        save: (tileStep) => saveFolderView(account.id, folder, { tileStep }),
      }),
    [account.id, folder, view?.tileStep],
  );
  return useMemo(
    () => ({ ...account, ...viewOf(account, view, isPhotoFolder) }),
    [account, view, isPhotoFolder],
  );
}
