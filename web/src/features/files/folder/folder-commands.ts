import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import type { ViewMode } from '@filestead/contract/users';
import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FolderCommands } from '../actions/action.ts';
import { isPreviewed, nextViewMode } from '../actions/actions.ts';
import {
  emptyClipboard,
  fillClipboard,
  pasteKind,
  readClipboard,
  type Clipboard,
} from '../clipboard/clipboard.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { closeToast, showToast } from '../../../ui/feedback/toast.ts';
import { createAndReveal, type NewEntryKind } from '../entries/create-entry.ts';
import { setDetailsOpen, useDetails } from '../details/details-state.ts';
import { downloadEntries, downloadFolder } from '../downloads/download-entries.ts';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderSession } from './folder-session.ts';
import type { FolderHost } from './folder-host.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import { removeEntries } from '../entries/remove-entries.ts';
import { reloadFolder } from './reload-folder.ts';
import { renameEntry } from '../entries/rename-entry.ts';
import { toggleShell } from './shell-state.ts';
import { counted, filesText, toastDone, toastFailure } from '../feedback/toasts.ts';
import { transferEntries, type TransferRights } from '../transfers/transfer-entries.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';
import { offerUndo, undoLast } from '../feedback/undo.ts';
import { stepTiles } from './view-options.ts';

/** What the commands work on. Read anew at each use, because the screen changes around them. */
export interface CommandTargets {
  readonly session: FolderSession;
  readonly host: FolderHost;
  /** Edits the name in its row; false when the row cannot be edited in place now. */
  readonly startRenameInPlace: (id: number) => boolean;
  /** Gives the keyboard to an entry of the shown folder once it has arrived and no dialog is open. */
  readonly focusEntry: (name: string) => void;
}

/** Everything that can be done with the shown folder and its selection. */
export function folderCommands(targets: () => CommandTargets): FolderCommands {
  const selected = () => targets().session.selectedEntries();
  const isTaken = (name: string) => targets().session.model.find(name) !== null;
  const create = (kind: NewEntryKind) => {
    const { path: folder } = targets().session;
    openPrompt({
      kind: 'name',
      purpose: kind === 'folder' ? 'newFolder' : 'newFile',
      folder,
      isTaken,
      submit: async (name) => {
        await createAndReveal(kind, folder, name);
        targets().focusEntry(name);
      },
    });
  };
  const chooseDestination = (transfer: TransferKind) => {
    const { session, host } = targets();
    const entries = selected();
    if (entries.length === 0) return;
    openPrompt({
      kind: 'destination',
      transfer,
      entries,
      start: session.path,
      canCreate: host.user.perm.create,
      onChosen: (destination) =>
        void transferEntries({ kind: transfer, entries, destination }, host.user.perm).then((results) =>
          showDestination(targets(), session, results),
        ),
    });
  };
  return {
    open: () => {
      const [entry] = selected();
      if (entry) openEntry(targets().host, entry);
    },
    preview: () => {
      const [entry] = selected();
      if (entry) previewEntry(targets().host, entry);
    },
    download: () => {
      const { session } = targets();
      if (session.model.selectedCount > 0) downloadEntries(selected());
      else downloadFolder(session.path);
    },
    share: () => {
      const [entry] = selected();
      if (entry) targets().host.share(entry);
    },
    rename: () => {
      const { session, startRenameInPlace } = targets();
      const [id] = session.model.selectedIds();
      if (id !== undefined && !startRenameInPlace(id)) renameInDialog(session, session.entry(id));
    },
    move: () => chooseDestination('move'),
    copy: () => chooseDestination('copy'),
    cutToClipboard: () => putIntoClipboard({ mode: 'cut', entries: selected() }),
    copyToClipboard: () => putIntoClipboard({ mode: 'copy', entries: selected() }),
    paste: () => paste(targets().session.path, targets().host.user.perm),
    copyPath: () => void copyAndTell(pointedAt(targets()).path, 'done.copiedPath'),
    copyAddress: () => {
      const { path, isFolder } = pointedAt(targets());
      void copyAndTell(targets().host.addressOf(path, isFolder), 'done.copiedAddress');
    },
    remove: () => {
      const entries = selected();
      if (entries.length === 0) return;
      openPrompt({ kind: 'remove', entries, onConfirm: () => void removeEntries(entries) });
    },
    createFolder: () => create('folder'),
    createFile: () => create('file'),
    uploadFiles: () => targets().host.chooseUploads('files'),
    uploadFolder: () => targets().host.chooseUploads('folder'),
    selectAll: () => targets().session.model.selectAll(),
    clearSelection: () => clearSelection(targets().session),
    toggleSelecting: () => {
      const { model } = targets().session;
      if (model.isSelecting) clearSelection(targets().session);
      else model.setSelecting(true);
    },
    toggleDetails: () =>
      setDetailsOpen(!useDetails.getState().isOpen, targets().session.model.selectionVersion),
    toggleShell,
    switchView: () => {
      const { user, saveUser } = targets().host;
      const before = user.viewMode;
      const save = (viewMode: ViewMode) => saveUser({ viewMode });
      const switchOver = () => {
        offerUndo(() => save(before));
        save(nextViewMode(before)).catch((error: unknown) =>
          toastFailure(filesText('failed.save'), error, switchOver),
        );
      };
      switchOver();
    },
    largerTiles: () => stepTiles(1),
    smallerTiles: () => stepTiles(-1),
    undo: undoLast,
    reload: () => {
      const { session } = targets();
      clearSelection(session);
      void reloadFolder(session);
    },
    search: () => targets().host.openSearch(targets().session.path),
    goUp: () => {
      const { session, host } = targets();
      if (session.path !== '/') host.openFolder(parentOf(session.path));
    },
  };
}

/** Goes to where entries were taken, for users who want that. Whoever has moved on meanwhile is not taken along. */
function showDestination(
  { session, host }: CommandTargets,
  from: FolderSession,
  results: readonly VirtualPath[],
): void {
  const [first] = results;
  if (first === undefined || session !== from || parentOf(first) === from.path) return;
  if (host.user.redirectAfterCopyMove) host.openFolder(parentOf(first), nameOf(first));
}

/** A folder is entered, a file is shown; a broken link leads nowhere. */
export function openEntry(host: FolderHost, entry: FileEntry): void {
  if (entry.isFolder) host.openFolder(entry.path);
  else if (entry.type !== 'invalid_link') host.openFile(entry.path);
  else showToast({ tone: 'info', message: filesText('invalidLink', { name: isolateBidi(entry.name) }) });
}

/** Shows a file that the previewer can show; false for anything else. */
export function previewEntry(host: FolderHost, entry: FileEntry): boolean {
  if (!isPreviewed(entry)) return false;
  host.openFile(entry.path);
  return true;
}

/** Asks for the new name of an entry of the shown folder. */
export function renameInDialog(
  session: FolderSession,
  entry: FileEntry,
  onRenamed?: (path: VirtualPath) => void,
): void {
  openPrompt({
    kind: 'name',
    purpose: 'rename',
    folder: session.path,
    entry,
    isTaken: (name) => session.model.find(name) !== null,
    submit: async (name) => {
      const path = await renameEntry(entry, name);
      onRenamed?.(path);
    },
  });
}

function clearSelection({ model }: FolderSession): void {
  model.batch(() => {
    model.setSelecting(false);
    model.clear();
  });
}

/** Says what the clipboard holds; of no interest any more once it is pasted. */
let clipboardToast = 0;

function putIntoClipboard(clipboard: Clipboard): void {
  const [first] = clipboard.entries;
  if (!first) return;
  fillClipboard(clipboard);
  const isCut = clipboard.mode === 'cut';
  closeToast(clipboardToast);
  clipboardToast = toastDone(
    clipboard.entries.length === 1
      ? filesText(isCut ? 'done.cutOne' : 'done.clipboardOne', { name: isolateBidi(first.name) })
      : filesText(isCut ? 'done.cutMany' : 'done.clipboardMany', counted(clipboard.entries.length)),
  );
}

function paste(destination: VirtualPath, rights: TransferRights): void {
  const clipboard = readClipboard();
  if (!clipboard) return;
  closeToast(clipboardToast);
  const kind = pasteKind(clipboard, destination);
  if (kind === null) {
    emptyClipboard();
    toastDone(filesText('done.nothingToMove'));
    return;
  }
  // What moved leaves the clipboard by itself; what could not be moved stays for another try.
  void transferEntries({ kind, entries: clipboard.entries, destination }, rights);
}

/** The only selected entry, else the shown folder. */
function pointedAt({ session }: CommandTargets): { path: VirtualPath; isFolder: boolean } {
  const [entry] = session.selectedEntries(1);
  return entry ?? { path: session.path, isFolder: true };
}

/** Puts a text into the system's clipboard and says so. */
async function copyAndTell(text: string, message: 'done.copiedPath' | 'done.copiedAddress'): Promise<void> {
  if (await copyText(text)) toastDone(filesText(message));
  else showToast({ tone: 'error', message: filesText('details.copyFailed') });
}
