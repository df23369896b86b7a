import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useMemo, useState, type ReactNode } from 'react';
import { isCatalogueOn } from '../../../api/catalogue.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { closeDetailsByEscape } from '../details/details-state.ts';
import { rememberDragged } from '../clipboard/dragged-entries.ts';
import { EmptyFolder } from './empty-folder.tsx';
import type { FileEntry } from '../entries/entry.ts';
import { EntryMenu, type EntryMenuProps } from '../actions/entry-menu.tsx';
import { openEntry, previewEntry } from '../actions/open-entry.ts';
import type { FolderSession } from './folder-session.ts';
import { Listing } from '../listing/listing.tsx';
import { createAndReveal } from '../entries/create-entry.ts';
import { checkName } from '../entries/name-check.ts';
import { loadMediaOf } from '../entries/load-media.ts';
import { pictureAddress } from '../entries/picture-address.ts';
import { reloadFolder } from './reload-folder.ts';
import { renameEntry } from '../entries/rename-entry.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastFailure } from '../feedback/toasts.ts';
import type { FolderScreen } from './use-folder-screen.ts';
import { currentTileStep, rowHeightsPx, tileWidthsPx, useViewOptions } from './view-options.ts';
import type { ScatteredParts } from './scattered-parts.ts';

const coverPart = lazyPart(() => import('../covers/folder-cover.tsx'));

/** The state of the context menu; it keeps its content while it closes. */
type FolderMenu = Pick<EntryMenuProps, 'at' | 'place' | 'isByKey'>;
const noMenu: FolderMenu = { at: null, place: 'folderMenu', isByKey: false };

/** Shows the entries of a folder with their menu. */
export function FolderListing({
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
        onDragStart={() => rememberDragged(session.selectedEntries())}
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
