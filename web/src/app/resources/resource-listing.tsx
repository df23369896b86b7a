import type { Sorting } from '@filestead/contract/users';
import { useState, type RefObject } from 'react';
import type { ListingHandle, Point } from '../../features/files/listing/listing-options.ts';
import { Listing } from '../../features/files/listing/listing.tsx';
import type { ListingItem } from '../../features/files/listing/model/listing-entries.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Download, FolderOpen } from '../../ui/icons.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import { MenuItem } from '../../ui/overlays/menu.tsx';
import type { ResourceFolder } from './resource-folder.ts';

interface ResourceListingProps {
  folder: ResourceFolder<unknown>;
  /** The name of the folder. */
  name: string;
  /** Returns the full address of an entry; absent if entries cannot be opened in another tab. */
  addressOf?: (item: ListingItem) => string;
  /** Returns the address of a thumbnail; absent without thumbnails. */
  thumbnailUrl?: ((name: string, modifiedMs: number) => string) | undefined;
  onOpen: (item: ListingItem) => void;
  /** Absent for users who may not download. */
  onDownload?: ((item: ListingItem) => void) | undefined;
  handleRef: RefObject<ListingHandle | null>;
}

/** The entries of a folder outside the user's files, which can be opened and downloaded but not changed. */
export function ResourceListing(props: ResourceListingProps) {
  const { folder, name, addressOf, thumbnailUrl, onOpen, onDownload, handleRef } = props;
  const { t } = useTranslation('files');
  const { dateFormat, singleClick } = useCurrentUser();
  const { model } = folder;
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', asc: false });
  const [menu, setMenu] = useState<{ at: Point; entry: number; isByKey: boolean } | null>(null);
  // Kept while the menu closes.
  const [last, setLast] = useState(menu);
  if (menu !== null && menu !== last) setLast(menu);
  const open = (entry: number) => onOpen(model.item(entry));
  return (
    <>
      <Listing
        model={model}
        view="list"
        sorting={sorting}
        isExactDate={dateFormat}
        singleClick={singleClick}
        can={{ rename: false, create: false }}
        folderName={displayName(name)}
        addressOf={addressOf && ((entry) => addressOf(model.item(entry)))}
        thumbnailUrl={thumbnailUrl}
        onSort={setSorting}
        onOpen={open}
        onPreview={(entry) => {
          if (model.isFolder(entry)) return false;
          open(entry);
          return true;
        }}
        onContextMenu={(entry, at, isByKey) => {
          if (entry !== null) setMenu({ at, entry, isByKey });
        }}
        onRename={() => undefined}
        emptyState={<EmptyState illustration="folder" title={t('emptyFolder')} />}
        handleRef={handleRef}
      />
      <ContextMenu
        label={t('menuLabel')}
        at={menu?.at ?? null}
        focus={last?.isByKey ? 'first' : 'menu'}
        onClose={() => setMenu(null)}
      >
        <MenuItem icon={<FolderOpen />} shortcut="Enter" onAction={() => last && open(last.entry)}>
          {t('actions.open')}
        </MenuItem>
        {onDownload && (
          <MenuItem icon={<Download />} onAction={() => last && onDownload(model.item(last.entry))}>
            {t('actions.download')}
          </MenuItem>
        )}
      </ContextMenu>
    </>
  );
}
