import { recordOpened } from '@filestead/contract/endpoints/marks';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { Navigate, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { call } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { saveOperations } from '../../api/stored-operations.ts';
import { addOperations } from '../../features/files/feedback/undo.ts';
import { downloadEntries } from '../../features/files/downloads/download-entries.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { renameInDialog } from '../../features/files/actions/name-prompts.ts';
import { openPrompt } from '../../features/files/prompts/prompt-store.ts';
import { EntryDetails, HostPart } from '../../features/files/details/entry-details.tsx';
import { removeEntries } from '../../features/files/actions/lazy-changes.ts';
import { updateOwnUser, useCurrentUser } from '../../features/sessions/session-store.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { hasTextPreview, textPreviewOf } from '../../features/previews/has-text-preview.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { isNavigationBlocked } from '../../ui/navigation/block-navigation.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { useIsFavorite } from '../marks/use-is-favorite.ts';
import { backgroundPlayerOf } from '../player/page-player.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { Previewer } from '../resources/lazy-previewer.tsx';
import { PreviewMenu } from '../resources/preview-menu.tsx';
import styles from './opened-file.module.css';
import { isRotatable, rotateEntry } from './rotate-entry.ts';
import { isText, siblingsOf } from './siblings-of.ts';
import { uploadCode } from './upload-code.ts';
import { useOpenedFile, type OpenedFile as Opened } from './use-opened-file.ts';

const TextPreview = lazyWithTexts(
  async () => (await import('../../features/previews/text-preview.tsx')).TextPreview,
  'previews',
);
const Editor = lazyWithTexts(async () => (await import('../../features/editor/editor.tsx')).Editor, 'editor');

interface OpenedFileProps {
  path: VirtualPath;
  /** The screen of the folder that contains the file. */
  screen: FolderScreen;
  /** Makes the page behind the file accessible to the keyboard before the address has changed. */
  onUncover: () => void;
  /** Called with true while an error replaces the file within the frame of the page. */
  onFailed: (hasFailed: boolean) => void;
  /** Returns the address of an opened file, or of the listing behind it; default: those of the folder. */
  addressOf?: ((file: VirtualPath | null) => string) | undefined;
}

/** The file that the address names, above its folder: text in the editor, anything else in the previewer. */
export function OpenedFile({ path, screen, onUncover, onFailed, addressOf }: OpenedFileProps) {
  const { session, host } = screen;
  const addressFor = (file: VirtualPath | null): string =>
    addressOf?.(file) ?? fileAddress(file ?? session.path, file === null);
  const { perm } = host.user;
  const { aceEditorTheme, autoplay } = useCurrentUser();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { isFromFolder?: boolean } | null };
  const { opened, reload } = useOpenedFile(path);
  const { model } = session;
  const entry = useShownEntry(path, opened, screen);
  const [isSlideshow, setSlideshow] = useState(false);
  useRecordedOpening(path, opened.kind !== 'failed' && opened.kind !== 'folder' && !isSlideshow);
  usePreparedPlayer(entry);
  const isFavorite = useIsFavorite(path);
  const siblings = useSyncExternalStore(model.subscribe, () => siblingsOf(session));
  const backgroundPlayer = useMemo(() => backgroundPlayerOf(session), [session]);
  const close = () => {
    session.revealPaths([path]);
    if (state?.isFromFolder) void navigate(-1);
    else void navigate(addressFor(null), { replace: true });
  };
  const closeCover = () => {
    // Unsaved changes keep the file open until the user has decided.
    const isKept = isNavigationBlocked();
    close();
    if (isKept) return;
    // The file stays until the page has changed, but keys pressed from now on go to the listing.
    onUncover();
    screen.listing.current?.focus();
  };
  const remove = async (removed: FileEntry, successor: VirtualPath | null) => {
    const removedPaths = await removeEntries([removed], { canPurge: perm.purge });
    if (removedPaths.length === 0) return;
    if (successor) show(successor);
    else close();
  };
  const show = (next: VirtualPath) => void navigate(addressFor(next), { replace: true, state });

  const showCopy = (copy: VirtualPath) => {
    void session.reload();
    show(copy);
  };
  if (opened.kind === 'folder') return <Navigate to={fileAddress(path, true)} replace />;
  if (opened.kind === 'failed') {
    return <Failure error={opened.error} onRetry={reload} onFailed={onFailed} />;
  }
  if (opened.kind === 'file' && entry && isText(entry.type)) {
    return (
      <Suspense fallback={<LoadingCover className={styles.blank} onLeave={closeCover} />}>
        <Editor
          key={path}
          path={path}
          resource={opened.resource}
          version={opened.version}
          canModify={perm.modify}
          theme={aceEditorTheme}
          onTheme={storeTheme}
          onClose={closeCover}
          onDownload={perm.download ? () => void downloadEntries([entry]) : undefined}
          onSaved={() => {
            addOperations(saveOperations.take());
            void session.reload();
          }}
          renderPreview={hasTextPreview(path) ? renderTextPreview(path) : undefined}
          isTable={textPreviewOf(path) === 'table'}
          opensRendered={textPreviewOf(path) === 'markdown'}
          onSavedAs={perm.create ? showCopy : undefined}
        />
      </Suspense>
    );
  }
  if (!entry || isText(entry.type)) return <LoadingCover className={styles.blank} onLeave={closeCover} />;
  const rename = () => renameInDialog(session, entry, show);
  return (
    <Suspense fallback={<LoadingCover className={styles.stage} onLeave={closeCover} />}>
      <Previewer
        entry={entry}
        siblings={siblings}
        subtitles={
          opened.kind === 'file' ? (opened.resource.subtitles as VirtualPath[] | undefined) : undefined
        }
        canDownload={perm.download}
        isAutoplaying={autoplay}
        backgroundPlayer={backgroundPlayer}
        favorite={{ isSet: isFavorite, onToggle: () => host.toggleFavorite([entry]) }}
        onShare={perm.share && perm.download ? () => host.share(entry) : undefined}
        onRotate={
          perm.modify && perm.download && isRotatable(entry)
            ? (degrees) => void rotateEntry(session, entry, degrees)
            : undefined
        }
        onNavigate={(next) => show(next.path)}
        onClose={closeCover}
        onDownload={() => void downloadEntries([entry])}
        onSlideshow={setSlideshow}
        renderDetails={() => <Details entry={entry} screen={screen} />}
        originOf={() => thumbnailRect(session.idOf(entry.path))}
        onDelete={
          perm.delete
            ? (_, successor) => {
                const onConfirm = () => void remove(entry, successor?.path ?? null);
                if (pageConfig.EnableTrash) onConfirm();
                else openPrompt({ kind: 'remove', entries: [entry], onConfirm });
              }
            : undefined
        }
        onRename={perm.rename ? rename : undefined}
        renderMenu={
          session.idOf(entry.path) === null
            ? undefined
            : (successor) => (
                <PreviewMenu
                  entry={entry}
                  screen={screen}
                  onMoved={() => (successor ? show(successor.path) : close())}
                  onRename={rename}
                />
              )
        }
      />
    </Suspense>
  );
}

/** The details of the file, beside the previewer or above it. */
function Details({ entry, screen: { host, context } }: { entry: FileEntry; screen: FolderScreen }) {
  const { perm } = host.user;
  const part = { entries: [entry], host };
  return (
    <EntryDetails
      key={entry.path}
      entry={entry}
      hasPicture={false}
      canDownload={perm.download}
      onShare={perm.share && perm.download ? () => host.share(entry) : undefined}
      onVersions={context.hasTrash ? () => host.showVersions(entry) : undefined}
      onRestore={perm.modify ? (version) => void host.restoreVersion(entry, version) : undefined}
      marks={<HostPart {...part} kind="tags" onChange={() => host.editTags([entry])} />}
      activity={<HostPart {...part} kind="activity" />}
    />
  );
}

interface FailureProps {
  error: unknown;
  onRetry: () => void;
  onFailed: (hasFailed: boolean) => void;
}

/** The error of a file that cannot be opened, in place of the content of the page: sidebar and path stay in use. */
function Failure({ error, onRetry, onFailed }: FailureProps) {
  const [main] = useState(() => document.querySelector('main'));
  const screen = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    onFailed(true);
    const hidden = [...(main?.children ?? [])].filter((child) => child !== screen.current);
    for (const child of hidden) child.toggleAttribute('inert', true);
    // The frame is inert until it is rendered again.
    const timer = setTimeout(() => takeFocus(screen.current));
    return () => {
      clearTimeout(timer);
      for (const child of hidden) child.toggleAttribute('inert', false);
      onFailed(false);
    };
  }, [main, onFailed]);
  if (main === null) return null;
  return createPortal(
    <div ref={screen} className={styles.failure} data-cover="" tabIndex={-1}>
      <ErrorScreen status={statusOfError(error)} onRetry={onRetry} headingLevel={2} />
    </div>,
    main,
  );
}

/** Fetches the small player while a recording is open. Its code belongs to that of uploads, which is present on every screen. */
function usePreparedPlayer(entry: FileEntry | null): void {
  const isRecording = entry?.type === 'audio' || entry?.type === 'video';
  useEffect(() => {
    // Without it the music ends with the previewer.
    if (isRecording) uploadCode.load().catch(() => undefined);
  }, [isRecording]);
}

/** A placeholder above the folder until the file can be shown; Escape already navigates back. */
function LoadingCover({ className, onLeave }: { className: string | undefined; onLeave: () => void }) {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      // The listing behind would clear its selection.
      event.stopPropagation();
      leave();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return <div ref={takeFocus} className={className} data-cover="" tabIndex={-1} />;
}

/** Moves the focus to a cover from the elements behind it. */
const takeFocus = (cover: HTMLElement | null): void => cover?.focus({ preventScroll: true });

const storeTheme = (aceEditorTheme: string): Promise<void> => updateOwnUser({ aceEditorTheme });

/** Renders the text at `path` read-only. */
function renderTextPreview(path: VirtualPath) {
  return (text: string) => (
    <Suspense fallback={null}>
      <TextPreview path={path} text={text} addressOf={addressOfFile} />
    </Suspense>
  );
}

const addressOfFile = (path: VirtualPath): string => `${pageConfig.BaseURL}${fileAddress(path, false)}`;

/** Returns the position of an entry's thumbnail on the screen; null if it has none or is scrolled out of view. */
function thumbnailRect(id: number | null): DOMRect | null {
  const picture = id === null ? null : document.querySelector(`[data-id="${id}"] img`);
  return picture?.getBoundingClientRect() ?? null;
}

/**
 * Returns the file as the listing knows it, so that it can be shown before its metadata arrives; otherwise as its
 * metadata says.
 */
function useShownEntry(path: VirtualPath, opened: Opened, { session }: FolderScreen): FileEntry | null {
  const id = session.idOf(path);
  const resource = opened.kind === 'file' ? opened.resource : null;
  // The entry is read again when the file has changed.
  const modifiedMs = useSyncExternalStore(session.model.subscribe, () =>
    id === null ? null : session.model.modifiedMs(id),
  );
  return useMemo(() => {
    if (id !== null) {
      const listed = session.entry(id);
      // The listing guesses types by name; the opened file's type is more accurate, unless the file was empty.
      const isTypeKnown = resource !== null && (resource.size > 0 || listed.type !== 'blob');
      return isTypeKnown && resource.type !== listed.type ? { ...listed, type: resource.type } : listed;
    }
    if (!resource) return null;
    return {
      name: resource.name,
      path,
      isFolder: false,
      isSymlink: resource.isSymlink,
      type: resource.type,
      size: resource.size,
      modifiedMs: Date.parse(resource.modified),
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, modifiedMs, resource, session, path]);
}

/** The time after which a shown file counts as opened, so that leafing through pictures records only those that are looked at, in ms. */
const openedAfterMs = 1000;

/** Records a file among the recent entries of the user. `isShown` is false where the file was not chosen, such as in a slideshow. */
function useRecordedOpening(path: VirtualPath, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => {
      // Recent entries are a convenience: the file is open even if they cannot be stored.
      call(recordOpened, { body: { paths: [path] } }).catch(() => undefined);
    }, openedAfterMs);
    return () => clearTimeout(timer);
  }, [path, isShown]);
}
