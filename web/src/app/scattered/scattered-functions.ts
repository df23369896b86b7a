import { rootPath } from '@filestead/contract/paths/virtual-path';
import { useMemo } from 'react';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { fileUploads } from '../files/file-uploads.ts';
import type { OwnFunctions } from '../files/use-folder-host.tsx';
import { startOfSearch } from '../routes/file-address.ts';

/** The functions of a screen with entries of several folders, which remembers no views and accepts no uploads. */
export const scatteredFunctions: Omit<OwnFunctions, 'openSearch'> = {
  saveView: () => undefined,
  useViewForAll: () => Promise.resolve(),
  chooseUploads: () => undefined,
  dropUploads: () => undefined,
  pasteUploads: () => undefined,
};

/** The same for a place with the menu New, which uploads files to the root. Its search is that of all folders. */
export function useFunctionsOfPlace(): OwnFunctions {
  const navigate = useNavigate();
  return useMemo(
    () => ({
      ...scatteredFunctions,
      chooseUploads: fileUploads.choose,
      openSearch: () => void navigate(startOfSearch('', rootPath)),
    }),
    [navigate],
  );
}
