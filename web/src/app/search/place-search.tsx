import { nameOf, parentOf, rootPath } from '@filestead/contract/paths/virtual-path';
import { type RefObject, useRef } from 'react';
import { SearchBox, type SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { startOfSearch } from '../routes/file-address.ts';
import { pictureOfFound } from './picture-of-found.ts';

/** The search field in the top bar of a place: it finds entries in all folders. Ctrl+K and Ctrl+F focus it. */
export function PlaceSearch({ handle }: { handle?: RefObject<SearchBoxHandle | null> }) {
  const { t } = useTranslation(['files', 'app']);
  const navigate = useNavigate();
  const { id, perm } = useCurrentUser();
  const own = useRef<SearchBoxHandle>(null);
  const box = handle ?? own;
  useShortcuts(['Mod+K', 'Mod+F'], () => box.current?.focus());
  const folderName = t('app:frame.myFiles');
  // Where the bar is narrow, the field is an icon within this box.
  return (
    <div>
      <SearchBox
        ref={box}
        label={t('searchIn', { folder: folderName })}
        panel={{
          folder: rootPath,
          folderName,
          userId: id,
          pictureOf: perm.download ? pictureOfFound : undefined,
          onOpen: (path, isFolder) => void navigate(fileAddress(path, isFolder)),
          onReveal: (path) =>
            void navigate(fileAddress(parentOf(path), true), { state: { reveal: nameOf(path) } }),
        }}
        onSubmit={(query) => void navigate(startOfSearch(query, rootPath))}
        onLeave={() => document.querySelector<HTMLElement>('main')?.focus()}
      />
    </div>
  );
}
