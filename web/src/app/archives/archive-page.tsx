import { getArchivePreview } from '@filestead/contract/archives';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Sorting } from '@filestead/contract/users';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { ApiError, urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { rawUrl } from '../../api/urls.ts';
import { extractArchives } from '../../features/files/archives/archive-jobs.ts';
import { followDownload } from '../../features/files/downloads/follow-download.ts';
import { reasonForCode } from '../../features/files/feedback/failure.ts';
import { ancestorsOf } from '../../features/files/header/ancestors.ts';
import type { ListingHandle, Point } from '../../features/files/listing/listing-options.ts';
import { Listing } from '../../features/files/listing/listing.tsx';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatNumber, formatSize } from '../../i18n/format.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ArchiveRestore, ChevronRight, Download, EllipsisVertical, FolderOpen } from '../../ui/icons.ts';
import { isHandledElsewhere, isShortcut } from '../../ui/keyboard/keystroke.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FramedError } from '../frame/framed-error.tsx';
import { archiveAddress, archivePlaceOf, type ArchivePlace, fileAddress } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { ArchiveFolder } from './archive-folder.ts';
import styles from './archive-page.module.css';
import { ArchivePreviewer, downloadInside } from './archive-previewer.tsx';

/** The history state of a file that was opened from the folder behind it. */
const openedFromFolder = { isFromFolder: true };

/** A folder inside an archive, for looking, downloading and extracting. */
export function ArchivePage() {
  const { pathname, search } = useLocation();
  const place = archivePlaceOf(pathname, search);
  if (place === null) return <FramedError status={404} />;
  return <Archive place={place} />;
}

/** Returns the loaded folder, a new one for each path. */
function useArchiveFolder(archive: VirtualPath, path: VirtualPath): ArchiveFolder {
  const folder = useMemo(() => new ArchiveFolder(archive, path), [archive, path]);
  useEffect(() => {
    // The reasons of failures.
    void loadTexts('jobs').finally(() => folder.load());
    return () => folder.stop();
  }, [folder]);
  return folder;
}

function Archive({ place }: { place: ArchivePlace }) {
  const { t } = useTranslation(['previews', 'files']);
  const navigate = useNavigate();
  const { perm } = useCurrentUser();
  const { archive } = place;
  const path = place.isFolder ? place.inside : parentOf(place.inside);
  const file = place.isFolder ? null : place.inside;
  const folder = useArchiveFolder(archive, path);
  const state = useSyncExternalStore(folder.subscribe, folder.getSnapshot);
  const listing = useRef<ListingHandle>(null);
  const archiveName = nameOf(archive);
  const name = nameOf(path) || archiveName;
  usePageTitle(name);
  const parentAddress =
    path === '/' ? fileAddress(parentOf(archive), true) : archiveAddress(archive, parentOf(path));
  const leave = () => void navigate(parentAddress, path === '/' ? { state: { reveal: archiveName } } : {});
  useUpKeys(leave, file === null);
  const extract = async () => {
    const extracted = await extractArchives(parentOf(archive), [{ name: archiveName, path: archive }]);
    if (extracted)
      void navigate(fileAddress(parentOf(extracted), true), { state: { reveal: nameOf(extracted) } });
  };
  const download = () => followDownload(rawUrl(archive), archiveName);
  const actions = [
    { id: 'download', icon: Download, run: download } as const,
    ...(perm.create ? [{ id: 'extract', icon: ArchiveRestore, run: () => void extract() } as const] : []),
  ];
  return (
    <>
      <Frame
        header={<Crumbs archive={archive} path={path} />}
        actions={
          <div className={styles.actions}>
            {actions.map(({ id, icon: Icon, run }) => (
              <Button
                key={id}
                icon={<Icon />}
                variant={id === 'extract' ? 'primary' : 'secondary'}
                onClick={run}
              >
                {t(`files:actions.${id}`)}
              </Button>
            ))}
          </div>
        }
        phone={{
          title: name,
          back: {
            name: path === '/' ? nameOf(parentOf(archive)) : nameOf(parentOf(path)) || archiveName,
            to: parentAddress,
          },
          actions: (
            <MenuTrigger>
              <IconButton label={t('files:moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
              <Menu placement="bottom end">
                {actions.map(({ id, icon: Icon, run }) => (
                  <MenuItem key={id} icon={<Icon />} onAction={run}>
                    {t(`files:actions.${id}`)}
                  </MenuItem>
                ))}
              </Menu>
            </MenuTrigger>
          ),
        }}
        folder={parentOf(archive)}
        commands={() =>
          actions.map(({ id, run }) => ({ id, label: t(`files:actions.${id}`), group: archiveName, run }))
        }
        isCovered={file !== null}
        regainFocus={() => {
          const cover = document.querySelector<HTMLElement>('[data-cover]');
          if (cover) cover.focus({ preventScroll: true });
          else listing.current?.focus();
        }}
      >
        {state.kind === 'failed' ? (
          <Failure error={state.error} onRetry={() => void folder.load()} onDownload={download} />
        ) : (
          <>
            <FolderListing folder={folder} name={name} handleRef={listing} />
            {state.kind === 'shown' && state.shown.count > 0 && (
              <p className={styles.foot} role="status">
                {t('archive.foot', {
                  count: state.shown.count,
                  number: formatNumber(state.shown.count),
                  size: formatSize(state.shown.bytes),
                })}
              </p>
            )}
          </>
        )}
      </Frame>
      {file !== null && <PreviewedFile folder={folder} path={file} listing={listing} />}
    </>
  );
}

/** Explains why an archive cannot be shown; errors of the whole request are those of any folder. */
function Failure(props: { error: unknown; onRetry: () => void; onDownload: () => void }) {
  const { t } = useTranslation(['previews', 'files']);
  const { error, onRetry, onDownload } = props;
  const code = error instanceof ApiError ? error.code : '';
  if (!/^(?:archive_|unsupported_archive_format)/u.test(code))
    return <ErrorScreen status={statusOfError(error)} onRetry={onRetry} headingLevel={2} />;
  return (
    <EmptyState
      illustration="folder"
      title={t('archive.unreadable')}
      actions={
        <Button icon={<Download />} onClick={onDownload}>
          {t('files:actions.download')}
        </Button>
      }
    >
      {reasonForCode(code)}
    </EmptyState>
  );
}

function Crumbs({ archive, path }: { archive: VirtualPath; path: VirtualPath }) {
  const { t } = useTranslation('files');
  const steps = [
    ...ancestorsOf(parentOf(archive)).map((of) => ({
      address: fileAddress(of, true),
      name: displayName(nameOf(of)) || t('root'),
    })),
    ...ancestorsOf(path).map((of) => ({
      address: archiveAddress(archive, of),
      name: displayName(nameOf(of)) || displayName(nameOf(archive)),
    })),
  ];
  return (
    <nav className={styles.crumbs} aria-label={t('breadcrumbs')}>
      {steps.map(({ address, name }, index) => (
        <span key={address} className={styles.step}>
          {index > 0 && <ChevronRight aria-hidden="true" />}
          {index === steps.length - 1 ? (
            <h1 className={styles.title}>
              <bdi>{name}</bdi>
            </h1>
          ) : (
            <Link to={address} className={styles.crumb}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}

interface FolderListingProps {
  folder: ArchiveFolder;
  name: string;
  handleRef: RefObject<ListingHandle | null>;
}

/** The entries of a folder inside an archive, which can be opened and downloaded. */
function FolderListing({ folder, name, handleRef }: FolderListingProps) {
  const { t } = useTranslation(['files', 'previews']);
  const navigate = useNavigate();
  const { dateFormat, singleClick } = useCurrentUser();
  const { model, archive, path } = folder;
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', asc: false });
  const [menu, setMenu] = useState<{ at: Point; entry: number; isByKey: boolean } | null>(null);
  const [last, setLast] = useState(menu);
  if (menu !== null && menu !== last) setLast(menu);
  const addressOf = (entry: number): string => {
    const { name: opened, isFolder } = model.item(entry);
    return archiveAddress(archive, childOf(path, opened), isFolder);
  };
  const open = (entry: number) =>
    void navigate(addressOf(entry), model.isFolder(entry) ? {} : { state: openedFromFolder });
  const download = (entry: number) => {
    const item = model.item(entry);
    downloadInside(archive, childOf(path, item.name), item);
  };
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
        addressOf={(entry) => `${pageConfig.BaseURL}${addressOf(entry)}`}
        thumbnailUrl={
          pageConfig.EnableThumbs
            ? (entryName, modifiedMs) =>
                urlOf(getArchivePreview, {
                  params: { size: 'thumb' },
                  path: childOf(path, entryName),
                  query: { archive, inline: 'true', key: String(modifiedMs) },
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
        <MenuItem icon={<Download />} onAction={() => last && download(last.entry)}>
          {t('actions.download')}
        </MenuItem>
      </ContextMenu>
    </>
  );
}

interface PreviewedFileProps {
  folder: ArchiveFolder;
  path: VirtualPath;
  listing: RefObject<ListingHandle | null>;
}

/** The previewer of a file inside an archive. */
function PreviewedFile({ folder, path, listing }: PreviewedFileProps) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: typeof openedFromFolder | null };
  const { model, archive } = folder;
  const version = useSyncExternalStore(model.subscribe, () => model.orderVersion);
  const siblings = useMemo(() => siblingsOf(folder, version), [folder, version]);
  const entry = siblings.find((sibling) => sibling.path === path);
  const close = () => {
    if (state?.isFromFolder) void navigate(-1);
    else void navigate(archiveAddress(archive, folder.path), { replace: true });
    const shown = model.find(nameOf(path));
    if (shown !== null) model.selectOnly(shown);
    setTimeout(() => listing.current?.focus());
  };
  if (!entry) return null;
  return (
    <ArchivePreviewer
      archive={archive}
      entry={entry}
      siblings={siblings}
      onNavigate={(next) => void navigate(archiveAddress(archive, next, false), { replace: true, state })}
      onClose={close}
    />
  );
}

/** Returns the files of a folder in the shown order; `version` is the order version of its model. */
function siblingsOf({ model, path }: ArchiveFolder, version: number): PreviewEntry[] {
  if (version === 0) return [];
  return Array.from(model.order, (id) => model.item(id))
    .filter(({ isFolder }) => !isFolder)
    .map(({ name, type, size, modifiedMs }) => ({ path: childOf(path, name), name, type, size, modifiedMs }));
}

/** Goes to the parent folder by Backspace and Alt+Up. */
function useUpKeys(onUp: () => void, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      if (!isShortcut(event, 'Backspace') && !isShortcut(event, 'Alt+ArrowUp')) return;
      event.preventDefault();
      onUp();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onUp, isEnabled]);
}
