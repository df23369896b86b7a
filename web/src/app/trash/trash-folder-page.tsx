import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { getTrashPreview, type TrashItem } from '@filestead/contract/endpoints/trash';
import type { Sorting } from '@filestead/contract/users';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { ancestorsOf } from '../../features/files/header/ancestors.ts';
import type { ListingHandle, Point } from '../../features/files/listing/listing-options.ts';
import { Listing } from '../../features/files/listing/listing.tsx';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { downloadItem } from '../../features/trash/download-item.ts';
import { PurgeDialog } from '../../features/trash/purge/purge-dialog.tsx';
import { restoreItems } from '../../features/trash/restore/restore-items.ts';
import type { TrashHost } from '../../features/trash/trash-host.ts';
import type { TrashModel } from '../../features/trash/trash-model.ts';
import type { PurgeQuestion } from '../../features/trash/trash-targets.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import {
  ChevronRight,
  Download,
  EllipsisVertical,
  FolderInput,
  FolderOpen,
  RotateCcw,
  Trash2,
} from '../../ui/icons.ts';
import { isHandledElsewhere, isShortcut } from '../../ui/keyboard/keystroke.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { focusCover } from '../files/use-cover.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { usePageTitle } from '../routes/page-title.ts';
import { trashAddress, type TrashPlace } from './trash-address.ts';
import { TrashFolder } from './trash-folder.ts';
import styles from './trash-page.module.css';
import { detailsOf, TrashPreviewer } from './trash-previewer.tsx';
import { openedFromList } from './use-trash-host.ts';

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

/** A deleted folder, or a folder below it: for looking, and for restoring the whole item. */
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
  useUpKeys(parentAddress, file === null);
  const restore = async (restored: TrashItem, to: VirtualPath | null) => {
    const count = await restoreItems([restored], to, { model: list, host });
    if (count > 0) void navigate('/trash');
  };
  const actions = item && [
    ...(item.canRestore
      ? [
          { id: 'restore', icon: RotateCcw, run: () => void restore(item, null) } as const,
          {
            id: 'restoreTo',
            icon: FolderInput,
            run: () => host.chooseFolder([item], (to) => void restore(item, to)),
          } as const,
        ]
      : []),
    ...(item.canPurge
      ? [{ id: 'purge', icon: Trash2, run: () => setPurging({ kind: 'items', items: [item] }) } as const]
      : []),
  ];
  return (
    <>
      <Frame
        header={item ? <Crumbs id={place.id} itemName={item.name} path={path} /> : null}
        actions={
          <div className={styles.actions}>
            {actions?.map(({ id, icon: Icon, run }) => (
              <Button
                key={id}
                icon={<Icon />}
                className={id === 'purge' ? styles.empty : undefined}
                onClick={run}
              >
                {t(`actions.${id}`)}
              </Button>
            ))}
          </div>
        }
        phone={{
          title: name,
          back: {
            name: path === '/' ? t('title') : nameOf(parentOf(path)) || (item?.name ?? ''),
            to: parentAddress,
          },
          actions: actions && actions.length > 0 && (
            <MenuTrigger>
              <IconButton label={t('moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
              <Menu placement="bottom end">
                {actions.map(({ id, icon: Icon, run }) => (
                  <MenuItem
                    key={id}
                    icon={<Icon />}
                    tone={id === 'purge' ? 'danger' : 'neutral'}
                    onAction={run}
                  >
                    {t(`actions.${id}`)}
                  </MenuItem>
                ))}
              </Menu>
            </MenuTrigger>
          ),
        }}
        commands={() =>
          (actions ?? []).map(({ id, run }) => ({ id, label: t(`actions.${id}`), group: t('title'), run }))
        }
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
          <FolderListing folder={folder} host={host} name={name} handleRef={listing} />
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

function Crumbs({ id, itemName, path }: { id: string; itemName: string; path: VirtualPath }) {
  const { t } = useTranslation(['trash', 'files']);
  const nameAt = (ancestor: VirtualPath) => displayName(ancestor === '/' ? itemName : nameOf(ancestor));
  return (
    <nav className={styles.crumbs} aria-label={t('files:breadcrumbs')}>
      <Link to="/trash" className={styles.crumb}>
        {t('title')}
      </Link>
      {ancestorsOf(path).map((ancestor) => (
        <span key={ancestor} className={styles.step}>
          <ChevronRight aria-hidden="true" />
          {ancestor === path ? (
            <h1 className={styles.title}>
              <bdi>{nameAt(ancestor)}</bdi>
            </h1>
          ) : (
            <Link to={trashAddress(id, true, ancestor)} className={styles.crumb}>
              <bdi>{nameAt(ancestor)}</bdi>
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}

interface FolderListingProps {
  folder: TrashFolder;
  host: TrashHost;
  name: string;
  handleRef: React.RefObject<ListingHandle | null>;
}

/** The entries of a folder in the trash, which can be opened and downloaded. */
function FolderListing({ folder, host, name, handleRef }: FolderListingProps) {
  const { t } = useTranslation(['trash', 'files']);
  const navigate = useNavigate();
  const { model, id, path } = folder;
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', asc: false });
  const [menu, setMenu] = useState<{ at: Point; entry: number; isByKey: boolean } | null>(null);
  const [last, setLast] = useState(menu);
  if (menu !== null && menu !== last) setLast(menu);
  const open = (entry: number) => {
    const { name: opened, isFolder, type } = model.item(entry);
    if (type === 'invalid_link') return;
    const address = trashAddress(id, isFolder, childOf(path, opened));
    void navigate(address, isFolder ? {} : { state: openedFromList });
  };
  const download = (entry: number) => {
    const { name: chosen, isFolder } = model.item(entry);
    downloadItem({ id, name: chosen, isDir: isFolder }, childOf(path, chosen));
  };
  return (
    <>
      <Listing
        model={model}
        view="list"
        sorting={sorting}
        isExactDate={host.user.dateFormat}
        singleClick={host.user.singleClick}
        can={{ rename: false, create: false }}
        folderName={displayName(name)}
        thumbnailUrl={
          host.user.perm.download && pageConfig.EnableThumbs
            ? (entryName, modifiedMs) =>
                urlOf(getTrashPreview, {
                  params: { id, size: 'thumb' },
                  path: childOf(path, entryName),
                  query: { inline: 'true', key: String(modifiedMs) },
                })
            : undefined
        }
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
        emptyState={<EmptyState illustration="folder" title={t('files:emptyFolder')} />}
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
        {host.user.perm.download && (
          <MenuItem icon={<Download />} onAction={() => last && download(last.entry)}>
            {t('actions.download')}
          </MenuItem>
        )}
      </ContextMenu>
    </>
  );
}

interface PreviewedFileProps {
  folder: TrashFolder;
  item: TrashItem;
  path: VirtualPath;
  host: TrashHost;
  listing: React.RefObject<ListingHandle | null>;
}

/** The previewer of a file in a deleted folder. */
function PreviewedFile({ folder, item, path, host, listing }: PreviewedFileProps) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: typeof openedFromList | null };
  const { model, id } = folder;
  const version = useSyncExternalStore(model.subscribe, () => model.orderVersion);
  const siblings = useMemo(() => siblingsOf(folder, version), [folder, version]);
  const sourceOf = useMemo(() => (of: VirtualPath) => ({ id, path: of }), [id]);
  const entry = siblings.find((sibling) => sibling.path === path);
  const close = () => {
    if (state?.isFromList) void navigate(-1);
    else void navigate(trashAddress(id, true, folder.path), { replace: true });
    const shown = model.find(nameOf(path));
    if (shown !== null) model.selectOnly(shown);
    setTimeout(() => listing.current?.focus());
  };
  if (!entry) return null;
  return (
    <TrashPreviewer
      entry={entry}
      siblings={siblings}
      sourceOf={sourceOf}
      canDownload={host.user.perm.download}
      details={detailsOf(item, host)}
      onNavigate={(next) => void navigate(trashAddress(id, false, next), { replace: true, state })}
      onClose={close}
    />
  );
}

/** Returns the files of a folder in the shown order; `version` is the order version of its model. */
function siblingsOf({ model, path }: TrashFolder, version: number): PreviewEntry[] {
  if (version === 0) return [];
  return Array.from(model.order, (id) => model.item(id))
    .filter(({ isFolder, type }) => !isFolder && type !== 'invalid_link')
    .map(({ name, type, size, modifiedMs }) => ({
      path: childOf(path, name),
      name,
      type,
      size,
      modifiedMs,
    }));
}

/** Goes to the parent folder by Backspace and Alt+Up. */
function useUpKeys(parentAddress: string, isEnabled: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      if (!isShortcut(event, 'Backspace') && !isShortcut(event, 'Alt+ArrowUp')) return;
      event.preventDefault();
      void navigate(parentAddress);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate, parentAddress, isEnabled]);
}
