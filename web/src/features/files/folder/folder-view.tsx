import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Sorting } from '@filestead/contract/users';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { isCatalogueOn } from '../../../api/catalogue.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { closeDetailsByEscape, setDetailsOpen, useDetails } from '../details/details-state.ts';
import { hasVersions, isShareable } from '../actions/conditions.ts';
import { beginDrag } from '../clipboard/dragged-entries.ts';
import { EmptyFolder } from './empty-folder.tsx';
import { FolderFooter } from './folder-footer.tsx';
import type { FileEntry } from '../entries/entry.ts';
import { EntryMenu, type EntryMenuProps } from '../actions/entry-menu.tsx';
import { openEntry, previewEntry } from '../actions/open-entry.ts';
import type { FolderSession } from './folder-session.ts';
import styles from './folder-view.module.css';
import { SourceNote } from '../live/source-note.tsx';
import type { ScatteredLook } from '../listing/listing-options.ts';
import type { PhotoGroups } from '../listing/photos/photo-layout.ts';
import { Listing } from '../listing/listing.tsx';
import { createAndReveal } from '../entries/create-entry.ts';
import { checkName } from '../entries/name-check.ts';
import { loadMediaOf } from '../entries/load-media.ts';
import { pictureAddress } from '../entries/picture-address.ts';
import { preloadPrompts } from '../prompts/prompt-host.tsx';
import { reloadFolder } from './reload-folder.ts';
import { renameEntry } from '../entries/rename-entry.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import { filesText, folderName } from '../feedback/files-text.ts';
import { toastFailure } from '../feedback/toasts.ts';
import { useFolderKeys } from './use-folder-keys.ts';
import type { FolderScreen } from './use-folder-screen.ts';
import { useFolderStatus } from './use-folder-session.ts';
import { useReveal } from './use-reveal.ts';
import { useSelectedBytes } from '../actions/use-action-context.ts';
import { currentTileStep, rowHeightsPx, tileWidthsPx, useViewOptions } from './view-options.ts';

/** The delay before dialogs are preloaded, in ms, so that the first one opens at once. */
const preloadAfterMs = 2000;

const coverPart = lazyPart(() => import('../covers/folder-cover.tsx'));
const selectionPart = lazyPart(() => import('../header/selection-bar.tsx'));
const detailsPart = lazyPart(() => import('../details/details-panel.tsx'));

interface FolderViewProps {
  screen: FolderScreen;
  /** Whether something covers the folder, so that its keys are disabled. */
  isCovered: boolean;
  /** Renders a replacement for a folder that cannot be loaded. */
  renderFailure: (error: unknown, retry: () => void) => ReactNode;
  /** The parts that are different where entries of several folders are listed, such as the results of a search. */
  scattered?: ScatteredParts | undefined;
}

export interface ScatteredParts {
  readonly look: ScatteredLook;
  readonly sorting: Sorting | null;
  /** How photos are grouped. */
  readonly photoGroups?: PhotoGroups | undefined;
  /** The accessible name of the listing. */
  readonly name: string;
  /** Above the listing. */
  readonly top: ReactNode;
  readonly emptyState: ReactNode;
  /** Takes the place of the listing. */
  readonly instead?: ReactNode;
  /** Below the listing, in an area that scrolls by itself. */
  readonly below?: ReactNode;
  /** Takes the place of number, size and filter. */
  readonly footer: ReactNode;
}

/** Shows a folder: listing, bars, menus and details. */
export function FolderView({ screen, isCovered, renderFailure, scattered }: FolderViewProps) {
  const { session, host, context, commands, listing } = screen;
  const status = useFolderStatus(session);
  const bytes = useSelectedBytes(session);
  useFolderKeys(screen, !isCovered, status.kind === 'shown' || status.kind === 'truncated');
  useReveal(session, listing);
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadPrompts();
      selectionPart.load().catch(() => undefined);
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useListingFocus(screen, isCovered);
  const selectionBar = useLazyPart(selectionPart, context.count > 0, commands.clearSelection);
  // The covering screen reports the failure itself.
  if (status.kind === 'failed')
    return isCovered ? null : renderFailure(status.error, () => void session.reload());
  return (
    <div className={styles.view} data-selected={context.count > 0 || undefined}>
      {scattered?.top}
      {status.kind === 'truncated' && <TruncatedBanner onRetry={commands.reload} />}
      {context.isSelecting && context.count === 0 && <SelectingBanner onStop={commands.clearSelection} />}
      {scattered?.instead ?? <FolderListing screen={screen} scattered={scattered} />}
      {scattered?.below}
      <SourceNote session={session} />
      {scattered && !host.isPhone && context.count === 0 && scattered.footer}
      {!scattered && !host.isPhone && (
        <FolderFooter
          model={session.model}
          filterRef={screen.filter}
          isCovered={context.count > 0}
          onLeave={() => listing.current?.focus()}
        />
      )}
      {selectionBar && context.count > 0 ? (
        <selectionBar.SelectionBar context={context} bytes={bytes} commands={commands} />
      ) : (
        context.count > 0 && !host.isPhone && <div className={styles.barSpace} />
      )}
      {!scattered && <Announcement screen={screen} />}
    </div>
  );
}

/** Focuses the listing after a folder was opened or a file closed, unless something else has the focus. */
function useListingFocus({ session, listing }: FolderScreen, isCovered: boolean): void {
  const { model } = session;
  const hasRows = useSyncExternalStore(model.subscribe, () => model.phase !== 'loading' && model.count > 0);
  const last = useRef({ session, isCovered });
  useEffect(() => {
    const previous = last.current;
    const wasClosed = previous.isCovered && !isCovered;
    if (!hasRows || isCovered || (previous.session === session && !wasClosed)) {
      if (isCovered) last.current = { ...previous, isCovered };
      return undefined;
    }
    last.current = { session, isCovered };
    // A covering screen returns its focus first.
    const timer = setTimeout(() => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement?.closest('[data-id]') != null;
      if (isFree) listing.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [session, hasRows, isCovered, listing]);
}

/** Announces the opened folder to screen readers once it is loaded. */
function Announcement({ screen: { session } }: { screen: FolderScreen }) {
  const { t } = useTranslation('files');
  const { model, path } = session;
  const isReady = useSyncExternalStore(model.subscribe, () => model.phase === 'ready');
  const [announcement, setAnnouncement] = useState<{ session: FolderSession; text: string } | null>(null);
  if (isReady && announcement?.session !== session) {
    setAnnouncement({
      session,
      text: t('folderLoaded', { ...pluralValues(model.count), folder: folderName(path) }),
    });
  }
  return (
    <div role="status" className="visually-hidden">
      {announcement?.session === session && announcement.text}
    </div>
  );
}

function SelectingBanner({ onStop }: { onStop: () => void }) {
  const { t } = useTranslation('files');
  return <Banner text={t('multipleSelectionEnabled')} label={t('stopSelecting')} onAction={onStop} />;
}

function TruncatedBanner({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('files');
  return (
    <Banner
      tone="warning"
      text={t('listingCutShort')}
      label={t('retry', { ns: 'common' })}
      onAction={onRetry}
    />
  );
}

/** Shows the details panel, loaded on demand: a column on the desktop, a dialog on phones. */
export function FolderDetails({ screen }: { screen: FolderScreen }) {
  const { session, host, context, commands } = screen;
  const { isOpen } = useDetails();
  const part = useLazyPart(detailsPart, isOpen, () => setDetailsOpen(false));
  if (!part) return null;
  return (
    <part.DetailsPanel
      session={session}
      canDownload={host.user.perm.download}
      onShare={isShareable(context) ? commands.share : undefined}
      onVersions={hasVersions(context) ? commands.versions : undefined}
      onFavorite={commands.favorite}
      onTags={commands.tags}
      canRename={host.user.perm.rename}
      isOpen={isOpen}
      isPhone={host.isPhone}
      host={host}
    />
  );
}

/** The state of the context menu; it keeps its content while it closes. */
type FolderMenu = Pick<EntryMenuProps, 'at' | 'place' | 'isByKey'>;
const noMenu: FolderMenu = { at: null, place: 'folderMenu', isByKey: false };

function FolderListing({
  screen,
  scattered,
}: {
  screen: FolderScreen;
  scattered: ScatteredParts | undefined;
}) {
  const { session, host, context, commands, listing, sort, dropDragged } = screen;
  const density = useViewOptions((options) => options.density);
  const tileStep = useViewOptions(currentTileStep);
  const [menu, setMenu] = useState<FolderMenu>(noMenu);
  const hasCovers =
    host.user.viewMode === 'mosaic' && session.isFolder && host.user.perm.download && isCatalogueOn();
  const covers = useLazyPart(coverPart, hasCovers, () => undefined);
  const canDownload = host.user.perm.download;
  // The same function for the same folder, so that the sizes and places that have arrived are kept.
  const loadMedia = useMemo(
    () => (canDownload ? loadMediaOf(session.path) : undefined),
    [canDownload, session.path],
  );
  // The listing is memoized: a selection renders bars and menus again, while the rows subscribe to the model
  // themselves.
  const rows = useMemo(() => {
    const { user } = host;
    const folderAt = (id: number | null): VirtualPath =>
      id === null ? session.path : session.entry(id).path;
    return (
      <Listing
        model={session.model}
        view={user.viewMode}
        sorting={scattered ? scattered.sorting : user.sorting}
        photoGroups={scattered?.photoGroups}
        scattered={scattered?.look}
        hasTags={!scattered}
        isExactDate={user.dateFormat}
        singleClick={user.singleClick}
        thumbnailUrl={
          user.perm.download
            ? (_name, _modifiedMs, id) => pictureAddress(session.entry(id), user.viewMode, host.isPhone)
            : undefined
        }
        folderCover={hasCovers ? (id) => coverOf(covers, session.entry(id).path) : undefined}
        loadMedia={loadMedia}
        rowHeightPx={rowHeightsPx[density]}
        tileWidthPx={tileWidthsPx[tileStep]}
        onPreview={(id) => previewEntry(host, session.entry(id))}
        onEscape={() => closeDetailsByEscape(session.model)}
        onRefresh={() => reloadFolder(session)}
        can={{ rename: user.perm.rename, create: user.perm.create }}
        folderName={scattered?.name ?? (displayName(nameOf(session.path)) || filesText('root'))}
        addressOf={(id) => {
          const { path, isFolder } = session.entry(id);
          return host.addressOf(path, isFolder);
        }}
        onSort={sort}
        onOpen={(id) => openEntry(host, session.entry(id))}
        onContextMenu={(id, at, isByKey) =>
          setMenu({ at, place: id === null ? 'folderMenu' : 'entryMenu', isByKey })
        }
        onDragStart={() => beginDrag(session.selectedEntries())}
        onMove={({ targetId, copy }) => {
          if (targetId !== null || session.isFolder) dropDragged(folderAt(targetId), copy);
        }}
        onDropFiles={
          session.isFolder ? (targetId, data) => host.dropUploads(folderAt(targetId), data) : undefined
        }
        onRename={(id, name) => void renameInPlace(session, session.entry(id), name)}
        checkName={(id, name) => nameProblem(session, id, name)}
        onCreateFolder={(name) => createInPlace(session, name)}
        emptyState={
          scattered?.emptyState ?? (
            <EmptyFolder model={session.model} canCreate={user.perm.create} commands={commands} />
          )
        }
        handleRef={listing}
      />
    );
  }, [
    session,
    host,
    commands,
    sort,
    dropDragged,
    listing,
    density,
    tileStep,
    scattered,
    hasCovers,
    covers,
    loadMedia,
  ]);
  return (
    <>
      {rows}
      <EntryMenu
        {...menu}
        context={context}
        commands={commands}
        onClose={() => setMenu((shown) => ({ ...shown, at: null }))}
      />
    </>
  );
}

/** Renders the cover of a folder; nothing while its code is loaded. */
const coverOf = (part: typeof import('../covers/folder-cover.tsx') | null, path: VirtualPath): ReactNode =>
  part && <part.FolderCover path={path} />;

async function renameInPlace(session: FolderSession, entry: FileEntry, name: string): Promise<void> {
  try {
    await renameEntry(entry, name);
  } catch (error) {
    const retry = () => void renameInPlace(session, entry, name);
    toastFailure(filesText('failed.rename', { name: isolateBidi(entry.name) }), error, retry);
    void session.reload();
  }
}

/** Creates a folder that was named in the listing. Returns the reason if that failed. */
async function createInPlace(session: FolderSession, name: string): Promise<string | null> {
  try {
    await createAndReveal('folder', session.path, name);
    return null;
  } catch (error) {
    return transferFailureReason(error);
  }
}

/** Returns the problem with a new name while it is edited in its row, or null. */
function nameProblem(session: FolderSession, id: number | null, input: string): string | null {
  const folder = id === null ? session.path : parentOf(session.entry(id).path);
  const { name, problem } = checkName(
    input,
    folder,
    (candidate) => session.idOf(childOf(folder, candidate)) !== null,
    id === null ? undefined : session.model.name(id),
  );
  if (problem === null || problem === 'unchanged') return null;
  return filesText(`nameProblems.${problem}`, { name: isolateBidi(name) });
}
