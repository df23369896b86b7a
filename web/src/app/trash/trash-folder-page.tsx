import {
  childOf,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { getTrashPreview, type TrashItem } from '@filestead/contract/endpoints/trash';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { ancestorsOf } from '../../features/files/header/ancestors.ts';
import type { ListingHandle } from '../../features/files/listing/listing-options.ts';
import { downloadItem } from '../../features/trash/download-item.ts';
import { PurgeDialog } from '../../features/trash/purge/purge-dialog.tsx';
import { restoreItems } from '../../features/trash/restore/restore-items.ts';
import type { TrashHost } from '../../features/trash/trash-host.ts';
import type { TrashModel } from '../../features/trash/trash-model.ts';
import type { PurgeQuestion } from '../../features/trash/trash-targets.ts';
import { displayName } from '../../i18n/display-name.ts';
import { FolderInput, RotateCcw, Trash2 } from '../../ui/icons.ts';
import { focusCover } from '../files/use-cover.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import {
  ActionButtons,
  ActionMenu,
  paletteCommandsOf,
  type ResourceAction,
} from '../resources/resource-actions.tsx';
import { ResourceCrumbs } from '../resources/resource-crumbs.tsx';
import { ResourceListing } from '../resources/resource-listing.tsx';
import { openedFromFolder, useFolderPreview } from '../resources/use-folder-preview.ts';
import { useUpKeys } from '../resources/use-up-keys.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { trashAddress, type TrashPlace } from './trash-address.ts';
import { TrashFolder } from './trash-folder.ts';
import { detailsOf, TrashPreviewer } from './trash-previewer.tsx';

interface TrashFolderPageProps {
  place: Extract<TrashPlace, { path: VirtualPath }>;
  host: TrashHost;
  /** The list from which the user came. */
  list: TrashModel;
}

/** Returns the loaded folder, a new one for each path. */
function useTrashFolder(id: string, path: VirtualPath): TrashFolder {
  const folder = useMemo(() => new TrashFolder(id, path), [id, path]);
  useEffect(() => {
    void folder.load();
    return () => folder.stop();
  }, [folder]);
  return folder;
}

/** The page of a deleted folder, or of a folder below it. Only the deleted folder as a whole can be restored. */
export function TrashFolderPage({ place, host, list }: TrashFolderPageProps) {
  const { t } = useTranslation('trash');
  const navigate = useNavigate();
  const path = place.isFolder ? place.path : parentOf(place.path);
  const file = place.isFolder ? null : place.path;
  const folder = useTrashFolder(place.id, path);
  const state = useSyncExternalStore(folder.subscribe, folder.getSnapshot);
  const listing = useRef<ListingHandle>(null);
  const [purging, setPurging] = useState<PurgeQuestion | null>(null);
  const item = state.kind === 'shown' ? state.shown : null;
  const name = nameOf(path) || (item?.name ?? '');
  usePageTitle(name, t('title'));
  const parentAddress = path === '/' ? '/trash' : trashAddress(place.id, true, parentOf(path));
  useUpKeys(() => void navigate(parentAddress), file === null);
  const restore = async (restored: TrashItem, to: VirtualPath | null) => {
    const count = await restoreItems([restored], to, { model: list, host });
    if (count > 0) void navigate('/trash');
  };
  const actions: ResourceAction[] = [];
  if (item?.canRestore === true) {
    const chooseFolder = () => host.chooseFolder([item], (to) => void restore(item, to));
    actions.push(
      { id: 'restore', label: t('actions.restore'), icon: RotateCcw, run: () => void restore(item, null) },
      { id: 'restoreTo', label: t('actions.restoreTo'), icon: FolderInput, run: chooseFolder },
    );
  }
  if (item?.canPurge === true) {
    const purge = () => setPurging({ kind: 'items', items: [item] });
    actions.push({ id: 'purge', label: t('actions.purge'), icon: Trash2, isDangerous: true, run: purge });
  }
  return (
    <>
      <Frame
        header={
          item && (
            <ResourceCrumbs
              crumbs={[
                { address: '/trash', name: t('title') },
                ...ancestorsOf(path).map((ancestor) => ({
                  address: trashAddress(place.id, true, ancestor),
                  name: displayName(nameOf(ancestor) || item.name),
                })),
              ]}
            />
          )
        }
        actions={<ActionButtons actions={actions} />}
        phone={{
          title: name,
          back: {
            name: path === '/' ? t('title') : nameOf(parentOf(path)) || (item?.name ?? ''),
            to: parentAddress,
          },
          actions: <ActionMenu label={t('moreActions')} actions={actions} />,
        }}
        usagePath={rootPath}
        commands={() => paletteCommandsOf(actions, t('title'))}
        isCovered={file !== null}
        regainFocus={() => {
          if (!focusCover()) listing.current?.focus();
        }}
      >
        {state.kind === 'failed' ? (
          <ErrorScreen
            status={statusOfError(state.error)}
            onRetry={() => void folder.load()}
            headingLevel={2}
          />
        ) : (
          <TrashFolderListing folder={folder} host={host} name={name} handleRef={listing} />
        )}
      </Frame>
      {file !== null && item && (
        <PreviewedFile folder={folder} item={item} path={file} host={host} listing={listing} />
      )}
      <PurgeDialog
        question={purging}
        model={list}
        host={host}
        onClose={() => setPurging(null)}
        onPurged={() => void navigate('/trash')}
      />
    </>
  );
}

interface TrashFolderListingProps {
  folder: TrashFolder;
  host: TrashHost;
  name: string;
  handleRef: RefObject<ListingHandle | null>;
}

/** The entries of a folder in the trash. */
function TrashFolderListing({ folder, host, name, handleRef }: TrashFolderListingProps) {
  const navigate = useNavigate();
  const { id, path } = folder;
  const canDownload = host.user.perm.download;
  return (
    <ResourceListing
      folder={folder}
      name={name}
      thumbnailUrl={
        canDownload && pageConfig.EnableThumbs
          ? (entryName, modifiedMs) =>
              urlOf(getTrashPreview, {
                params: { id, size: 'thumb' },
                path: childOf(path, entryName),
                query: { inline: 'true', key: String(modifiedMs) },
              })
          : undefined
      }
      onOpen={(item) => {
        if (item.type === 'invalid_link') return;
        const address = trashAddress(id, item.isFolder, childOf(path, item.name));
        void navigate(address, item.isFolder ? {} : { state: openedFromFolder });
      }}
      onDownload={
        canDownload
          ? (item) => downloadItem({ id, name: item.name, isDir: item.isFolder }, childOf(path, item.name))
          : undefined
      }
      handleRef={handleRef}
    />
  );
}

interface PreviewedFileProps {
  folder: TrashFolder;
  item: TrashItem;
  path: VirtualPath;
  host: TrashHost;
  listing: RefObject<ListingHandle | null>;
}

/** The previewer of a file in a deleted folder. */
function PreviewedFile({ folder, item, path, host, listing }: PreviewedFileProps) {
  const { id } = folder;
  const { entry, siblings, show, close } = useFolderPreview(folder, path, {
    addressOf: (target, isFolder) => trashAddress(id, isFolder, target),
    listing,
  });
  const sourceOf = useMemo(() => (target: VirtualPath) => ({ id, path: target }), [id]);
  if (entry === null) return null;
  return (
    <TrashPreviewer
      entry={entry}
      siblings={siblings}
      sourceOf={sourceOf}
      canDownload={host.user.perm.download}
      details={detailsOf(item, host)}
      onNavigate={show}
      onClose={close}
    />
  );
}
