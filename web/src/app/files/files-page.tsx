import {
  nameOf,
  parentOf,
  rootPath,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Navigate, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { FolderCrumbs } from '../../features/files/header/folder-crumbs.tsx';
import { FolderHeader } from '../../features/files/header/folder-header.tsx';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import { FolderDetails, FolderView } from '../../features/files/folder/folder-view.tsx';
import { PhoneAddButton, PhoneMenu, PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import type { FolderDrop } from '../../features/files/clipboard/use-folder-drop.ts';
import { usePublishedFolders } from '../../features/files/tree/use-published-folders.ts';
import { showView } from '../../features/files/actions/change-view.ts';
import { filesText } from '../../features/files/feedback/files-text.ts';
import { toastFailure } from '../../features/files/feedback/toasts.ts';
import { SearchBox, type SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderSession, useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { FolderShell, useShellSession } from './folder-shell.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Search } from '../../ui/icons.ts';
import { FramedError } from '../routes/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { pathOfAddress, startOfSearch } from '../routes/file-address.ts';
import type { StartState } from '../routes/start-address.tsx';
import { fileUploads } from './file-uploads.ts';
import { Frame } from '../frame/frame.tsx';
import { useDecoratedFolder } from '../marks/use-decorated-folder.ts';
import { pictureOfFound } from '../search/picture-of-found.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { useCover } from './use-cover.ts';
import { useFolderHost } from './use-folder-host.tsx';
import { useOwnFunctions } from './use-own-functions.ts';
import { useSharedFiles } from './use-shared-files.ts';
import { useUploadRows } from './use-upload-rows.ts';
import { useUserInFolder } from './use-user-in-folder.ts';

const OpenedFile = lazy(async () => ({ default: (await import('./opened-file.tsx')).OpenedFile }));

/** The files screen: a folder, and above it the file that the address names. */
export function FilesPage() {
  const { pathname } = useLocation();
  const requested = pathOfAddress(pathname);
  if (requested === null) return <FramedError status={404} />;
  return <Files requested={requested} />;
}

function Files({ requested: { path, isFolderPath } }: { requested: RequestedPath }) {
  const { t } = useTranslation(['app', 'files']);
  const navigate = useNavigate();
  const { key: visit, state } = useLocation() as {
    key: string;
    state: ({ reveal?: unknown } & StartState) | null;
  };
  const account = useCurrentUser();
  const shell = useShellSession();
  const folder = isFolderPath ? path : parentOf(path);
  const file = isFolderPath ? null : path;
  usePageTitle(nameOf(path), t('titles.files'));
  const session = useFolderSession(folder, path);
  const user = useUserInFolder(account, folder, session.model);
  useEffect(() => fileUploads.setDestination(folder, user.perm.modify), [folder, user.perm.modify]);
  const searchBox = useRef<SearchBoxHandle>(null);
  const { host, prompts } = useFolderHost(user, useOwnFunctions(user, folder, searchBox));
  const screen = useFolderScreen(session, host);
  const folderStatus = useFolderStatus(session);
  const status = folderStatus.kind;
  const { isCovered, uncover, regainFocus, setFailed } = useCover(file !== null, visit, screen.listing);
  const isFolderShown = status !== 'failed';
  const canCreate = user.perm.create && isFolderShown;
  useUploadRows(session);
  useDecoratedFolder(session);
  usePublishedFolders(session);
  useSharedFiles(folder, user.perm.create);
  const { context, commands, sort, dropDragged } = screen;
  const { openFolder } = host;
  const addressOf = useCallback((of: VirtualPath) => fileAddress(of, true), []);
  const folderDrop: FolderDrop = {
    can: user.perm,
    onDrop: dropDragged,
    onDropFiles: user.perm.create ? fileUploads.drop : undefined,
    onRest: openFolder,
  };
  const openFound = (found: VirtualPath, isFolder: boolean) => void navigate(fileAddress(found, isFolder));
  const revealInFolder = (entry: VirtualPath) =>
    void navigate(fileAddress(parentOf(entry), true), { state: { reveal: nameOf(entry) } });
  useEffect(() => {
    if (typeof state?.reveal === 'string') session.reveal([state.reveal]);
  }, [session, state]);
  // A folder that cannot be shown is not searched.
  const searched = isFolderShown ? folder : rootPath;
  const searchedName = displayName(nameOf(searched)) || t('frame.myFiles');
  const search = (
    <SearchBox
      ref={searchBox}
      label={t('files:searchIn', { folder: searchedName })}
      panel={{
        folder: searched,
        folderName: searchedName,
        userId: user.id,
        pictureOf: user.perm.download ? pictureOfFound : undefined,
        onOpen: openFound,
        onReveal: revealInFolder,
      }}
      onSubmit={(query) => void navigate(startOfSearch(query, searched))}
      onLeave={regainFocus}
    />
  );
  // The address requested a file as a folder.
  if (status === 'file') return <Navigate to={fileAddress(folder, false)} replace />;
  return (
    <>
      <Frame
        header={<FolderCrumbs path={folder} addressOf={addressOf} drop={folderDrop} onOpen={openFolder} />}
        actions={
          <FolderHeader
            context={context}
            commands={commands}
            sorting={user.sorting}
            onSort={sort}
            onView={(viewMode) => showView(host, viewMode)}
            onUseForAll={() => void saveForAll(host)}
            disabledReason={
              folderStatus.kind === 'failed'
                ? t(`errors.${statusOfError(folderStatus.error)}.message`)
                : undefined
            }
            search={search}
          />
        }
        phone={{
          title: nameOf(folder) || t('frame.myFiles'),
          ...(folder !== '/' && {
            back: { name: nameOf(parentOf(folder)) || t('frame.myFiles'), to: addressOf(parentOf(folder)) },
          }),
          ...(context.count > 0 && { topBar: <PhoneSelectionTop screen={screen} /> }),
          ...(isFolderShown && {
            actions: (
              <>
                <IconButton
                  label={t('search')}
                  icon={<Search />}
                  hasTooltip={false}
                  onClick={commands.search}
                />
                <PhoneMenu screen={screen} />
              </>
            ),
            add: <PhoneAddButton context={context} commands={commands} />,
          }),
        }}
        usagePath={folder}
        folder={folder}
        folderDrop={isFolderShown ? folderDrop : undefined}
        folderScreen={screen}
        onOpenTyped={openFolder}
        onNewFolder={canCreate ? commands.createFolder : undefined}
        onNewFile={canCreate ? commands.createFile : undefined}
        panel={<FolderShell holder={shell} folder={folder} onOpenFolder={host.openFolder} />}
        details={isFolderShown && <FolderDetails screen={screen} />}
        isCovered={isCovered}
        regainFocus={isFolderShown || isCovered ? regainFocus : undefined}
      >
        <FolderView
          screen={screen}
          isCovered={file !== null}
          renderFailure={(error, retry) => {
            const failure = statusOfError(error);
            // The folder on which the user starts has been deleted or hidden since.
            const isGone = failure === 404 || failure === 403 || failure === 'link';
            return state?.isStart && folder !== '/' && isGone ? (
              <Navigate to={addressOf(parentOf(folder))} state={state} replace />
            ) : (
              <ErrorScreen status={failure} onRetry={retry} headingLevel={2} />
            );
          }}
        />
      </Frame>
      {file !== null && (
        <Suspense fallback={null}>
          <OpenedFile path={file} screen={screen} onUncover={uncover} onFailed={setFailed} />
        </Suspense>
      )}
      {prompts}
    </>
  );
}

/** Saves the view of the shown folder for all folders. */
async function saveForAll(host: FolderHost): Promise<void> {
  try {
    await host.useViewForAll();
  } catch (error) {
    toastFailure(filesText('failed.save'), error, () => void saveForAll(host));
  }
}
