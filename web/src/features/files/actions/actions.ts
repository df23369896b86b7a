import type { ViewMode } from '@filestead/contract/users';
import { viewModes } from '@filestead/contract/users';
import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { setDetailsOpen, useDetails } from '../details/details-state.ts';
import { downloadEntries, downloadFolder } from '../downloads/download-entries.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';
import { offerUndo, redoLast, undoLast } from '../feedback/undo.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { reloadFolder } from '../folder/reload-folder.ts';
import { toggleShell } from '../folder/shell-state.ts';
import { stepTiles } from '../folder/view-options.ts';
import {
  Archive,
  ArrowUp,
  ClipboardPaste,
  Copy,
  Download,
  Eye,
  Files,
  FilePlus,
  FileUp,
  Filter,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
  HardDrive,
  History,
  Info,
  LayoutGrid,
  Link2,
  PencilLine,
  RefreshCw,
  Scissors,
  Search,
  Share2,
  SquareCheck,
  SquareTerminal,
  Star,
  Tag,
  Trash2,
  Redo2,
  Undo2,
  X,
  ZoomIn,
  ZoomOut,
} from '../../../ui/icons.ts';
import type { ActionContext, ActionEntry, ActionPlace, ActionTargets } from './action.ts';
import { paste, setClipboard, transferInDialog } from './copy-or-move.ts';
import { createInDialog, renameInDialog } from './name-prompts.ts';
import { transferEntries } from './lazy-changes.ts';
import { isPreviewed, isReadableArchive, openEntry, previewEntry } from './open-entry.ts';
import { removeSelected } from './remove-selected.ts';

const isBroken = ({ sample }: ActionContext): boolean => sample.some(({ type }) => type === 'invalid_link');

/** Whether a share can be created: of a single entry, by users who may also download what the share gives access to. */
export const isShareable = (context: ActionContext): boolean =>
  context.can.share && context.can.download && context.count === 1 && !isBroken(context);

/** Whether the selection is a single file, whose former states are kept. */
export const hasVersions = ({ hasTrash, count, sample: [entry] }: ActionContext): boolean =>
  hasTrash && count === 1 && entry !== undefined && !entry.isFolder && entry.type !== 'invalid_link';

/** Whether one entry is selected, or nothing, which means the shown folder. */
const isSingle = ({ count, isFolder }: ActionContext): boolean => count === 1 || (count === 0 && isFolder);

const canCreateHere = ({ can, isFolder }: ActionContext): boolean => isFolder && can.create;

/** Whether archives of this folder can be created and extracted. */
const canPack = ({ can, isFolder }: ActionContext): boolean => isFolder && can.create && can.download;

const archiveJobs = lazyPart(() => import('../archives/archive-jobs.ts'));

/** Calls `run` with the code about archives, which is fetched on first use. */
async function withArchiveJobs(
  targets: () => ActionTargets,
  run: (jobs: typeof import('../archives/archive-jobs.ts'), at: ActionTargets) => void,
): Promise<void> {
  const at = targets();
  const jobs = await loadOrReport(archiveJobs);
  if (jobs) run(jobs, at);
}

const hasTiles = ({ viewMode }: ActionContext): boolean => viewMode !== 'list';

/** All actions of the files screen, in the order in which they are shown. A new action is one entry here and its text. */
const actionTable = [
  {
    id: 'open',
    icon: FolderOpen,
    keys: ['Enter'],
    places: ['entryMenu'],
    group: 'open',
    isOffered: (context) => context.count === 1 && !isBroken(context),
    run: (targets) => {
      const { session, host } = targets();
      const [entry] = session.selectedEntries();
      if (entry) openEntry(host, entry);
    },
  },
  {
    id: 'showInFolder',
    icon: FolderOpen,
    keys: [],
    places: ['entryMenu'],
    group: 'open',
    isOffered: ({ count, isFolder }) => count === 1 && !isFolder,
    run: (targets) => {
      const { session, host } = targets();
      const [entry] = session.selectedEntries();
      if (entry) host.openFolder(parentOf(entry.path), entry.name);
    },
  },
  {
    id: 'preview',
    icon: Eye,
    keys: ['Space'],
    places: ['entryMenu'],
    group: 'open',
    isOffered: ({ count, sample: [entry] }) => count === 1 && entry !== undefined && isPreviewed(entry),
    run: (targets) => {
      const { session, host } = targets();
      const [entry] = session.selectedEntries();
      if (entry) previewEntry(host, entry);
    },
  },
  {
    id: 'download',
    icon: Download,
    keys: ['Mod+S'],
    places: ['selection', 'entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'open',
    // Without a selection the whole folder is downloaded.
    isOffered: (context) =>
      context.can.download &&
      (context.count > 0 ? !isBroken(context) : context.total > 0 && context.isFolder),
    run: (targets) => {
      const { session } = targets();
      if (session.model.selectedCount > 0) downloadEntries(session.selectedEntries());
      else downloadFolder(session.path);
    },
  },
  {
    id: 'share',
    icon: Share2,
    keys: ['Mod+Shift+S'],
    places: ['selection', 'entryMenu'],
    group: 'open',
    isOffered: isShareable,
    run: (targets) => {
      const { session, host } = targets();
      const [entry] = session.selectedEntries();
      if (entry) host.share(entry);
    },
  },
  {
    id: 'versions',
    icon: History,
    keys: [],
    places: ['entryMenu'],
    group: 'open',
    isOffered: hasVersions,
    run: (targets) => {
      const { session, host } = targets();
      const [entry] = session.selectedEntries();
      if (entry) host.showVersions(entry);
    },
  },
  {
    id: 'favorite',
    icon: Star,
    keys: ['Mod+D'],
    places: ['selection', 'entryMenu'],
    group: 'open',
    isOffered: ({ count }) => count >= 1,
    run: (targets) => targets().host.toggleFavorite(targets().session.selectedEntries()),
  },
  {
    id: 'tags',
    icon: Tag,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'open',
    isOffered: ({ count }) => count >= 1,
    run: (targets) => targets().host.editTags(targets().session.selectedEntries()),
  },
  {
    id: 'move',
    icon: FolderInput,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.rename && count >= 1,
    run: (targets) => transferInDialog('move', targets),
  },
  {
    id: 'copy',
    icon: Copy,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (targets) => transferInDialog('copy', targets),
  },
  {
    id: 'duplicate',
    icon: Files,
    keys: [],
    places: ['entryMenu'],
    group: 'edit',
    isOffered: ({ can, count, isFolder }) => can.create && count >= 1 && isFolder,
    run: (targets) => {
      const { session, host } = targets();
      const entries = session.selectedEntries();
      // A copy within its folder gets a free name.
      void transferEntries({ kind: 'copy', entries, destination: session.path }, host.user.perm);
    },
  },
  {
    id: 'extract',
    icon: FolderOpen,
    keys: [],
    places: ['entryMenu'],
    group: 'edit',
    isOffered: (context) =>
      canPack(context) && context.sample.length > 0 && context.sample.every(isReadableArchive),
    run: (targets) => void withArchiveJobs(targets, (jobs, { session }) => jobs.extractHere(session)),
  },
  {
    id: 'compress',
    icon: Archive,
    keys: [],
    places: ['entryMenu'],
    group: 'edit',
    isOffered: (context) => canPack(context) && context.count >= 1 && !isBroken(context),
    run: (targets) => void withArchiveJobs(targets, (jobs, { session }) => jobs.compressInDialog(session)),
  },
  {
    id: 'rename',
    icon: PencilLine,
    keys: ['F2'],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.rename && count === 1,
    run: (targets) => {
      const { session, startRenameInPlace } = targets();
      const [id] = session.model.selectedIds();
      if (id !== undefined && !startRenameInPlace(id)) renameInDialog(session, session.entry(id));
    },
  },
  {
    id: 'cutToClipboard',
    icon: Scissors,
    keys: ['Mod+X'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.rename && count >= 1,
    run: (targets) => setClipboard({ mode: 'cut', entries: targets().session.selectedEntries() }),
  },
  {
    id: 'copyToClipboard',
    icon: Files,
    keys: ['Mod+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (targets) => setClipboard({ mode: 'copy', entries: targets().session.selectedEntries() }),
  },
  {
    id: 'copyPath',
    icon: Copy,
    keys: ['Mod+Shift+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: isSingle,
    run: (targets) => void copyAndConfirm(selectedOrFolder(targets()).path, 'done.copiedPath'),
  },
  {
    id: 'copyAddress',
    icon: Link2,
    keys: [],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: isSingle,
    run: (targets) => {
      const { path, isFolder } = selectedOrFolder(targets());
      void copyAndConfirm(targets().host.addressOf(path, isFolder), 'done.copiedAddress');
    },
  },
  {
    id: 'createFolder',
    icon: FolderPlus,
    keys: ['Mod+Shift+N'],
    places: ['newMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => {
      if (!targets().startCreateInPlace()) createInDialog('folder', targets);
    },
  },
  {
    id: 'createFile',
    icon: FilePlus,
    keys: [],
    places: ['newMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => createInDialog('file', targets),
  },
  {
    id: 'uploadFiles',
    icon: FileUp,
    keys: ['Mod+U'],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => targets().host.chooseUploads('files'),
  },
  {
    id: 'uploadFolder',
    icon: FolderUp,
    keys: [],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => targets().host.chooseUploads('folder'),
  },
  {
    id: 'paste',
    icon: ClipboardPaste,
    keys: ['Mod+V'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'clipboard',
    isOffered: ({ can, clipboard, isFolder }) =>
      isFolder && clipboard !== null && (clipboard.mode === 'copy' ? can.create : can.rename),
    run: (targets) => paste(targets().session.path, targets().host.user.perm),
  },
  {
    id: 'selectAll',
    icon: SquareCheck,
    keys: ['Mod+A'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ total }) => total > 0,
    run: (targets) => targets().session.model.selectAll(),
  },
  {
    id: 'toggleSelecting',
    icon: SquareCheck,
    keys: [],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ total, isSelecting }) => total > 0 || isSelecting,
    run: (targets) => {
      const { session } = targets();
      if (session.model.isSelecting) clearSelection(session);
      else session.model.setSelecting(true);
    },
  },
  {
    id: 'switchView',
    icon: LayoutGrid,
    keys: [],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => {
      const { host } = targets();
      showView(host, nextViewMode(host.user.viewMode));
    },
  },
  {
    id: 'largerTiles',
    icon: ZoomIn,
    keys: ['Mod+Plus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: () => stepTiles(1),
  },
  {
    id: 'smallerTiles',
    icon: ZoomOut,
    keys: ['Mod+Minus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: () => stepTiles(-1),
  },
  {
    id: 'search',
    icon: Search,
    keys: ['Mod+F', 'Mod+K'],
    places: ['folderMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => targets().host.openSearch(targets().session.path),
  },
  {
    id: 'filter',
    icon: Filter,
    keys: ['/'],
    places: ['folderMenu'],
    group: 'view',
    isOffered: ({ total, isFolder }) => isFolder && total > 0,
    run: (targets) => targets().showFilter(),
  },
  {
    id: 'goUp',
    icon: ArrowUp,
    keys: ['Backspace', 'Alt+ArrowUp'],
    places: [],
    group: 'view',
    isOffered: ({ isTop }) => !isTop,
    run: (targets) => {
      const { session, host } = targets();
      if (session.path !== '/') host.openFolder(parentOf(session.path));
    },
  },
  {
    id: 'clearSelection',
    icon: X,
    keys: ['Escape'],
    places: [],
    group: 'view',
    isOffered: () => true,
    run: (targets) => clearSelection(targets().session),
  },
  {
    id: 'undo',
    icon: Undo2,
    keys: ['Mod+Z'],
    places: [],
    group: 'edit',
    isOffered: () => true,
    run: undoLast,
  },
  {
    id: 'redo',
    icon: Redo2,
    keys: ['Mod+Shift+Z'],
    places: [],
    group: 'edit',
    isOffered: () => true,
    run: redoLast,
  },
  {
    id: 'reload',
    icon: RefreshCw,
    keys: [],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => {
      const { session } = targets();
      clearSelection(session);
      void reloadFolder(session);
    },
  },
  {
    id: 'toggleDetails',
    icon: Info,
    keys: ['Mod+I'],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => setDetailsOpen(!useDetails.getState().isOpen, targets().session.model.selectionVersion),
  },
  {
    id: 'showSpace',
    icon: HardDrive,
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ hasSizes, isFolder, count, sample: [entry] }) =>
      hasSizes && (count === 0 ? isFolder : count === 1 && entry?.isFolder === true),
    run: (targets) => targets().host.openSpace(selectedOrFolder(targets()).path),
  },
  {
    id: 'rewind',
    icon: History,
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ hasTrash, can, isFolder, count, sample: [entry] }) =>
      hasTrash && can.modify && (count === 0 ? isFolder : count === 1 && entry?.isFolder === true),
    run: (targets) => targets().host.openRewind(selectedOrFolder(targets()).path),
  },
  {
    id: 'toggleShell',
    icon: SquareTerminal,
    keys: ['Ctrl+`'],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ can, hasCommands, isFolder }) => isFolder && can.execute && hasCommands,
    run: toggleShell,
  },
  {
    id: 'remove',
    icon: Trash2,
    keys: ['Delete'],
    places: ['selection', 'entryMenu'],
    group: 'delete',
    isDangerous: true,
    isOffered: ({ can, count }) => can.delete && count >= 1,
    run: (targets) => removeSelected(targets, false),
  },
  {
    id: 'removeForever',
    icon: Trash2,
    keys: ['Shift+Delete'],
    places: [],
    group: 'delete',
    isDangerous: true,
    isOffered: ({ can, count, hasTrash }) => hasTrash && can.delete && can.purge && count >= 1,
    run: (targets) => removeSelected(targets, true),
  },
] as const satisfies readonly ActionEntry[];

export type ActionId = (typeof actionTable)[number]['id'];
export type FileAction = ActionEntry & { readonly id: ActionId };
export const fileActions: readonly FileAction[] = actionTable;

/** Every action by its id, bound to one folder. */
export type FolderCommands = Readonly<Record<ActionId, () => void>>;

/** Binds the actions to the folder that `targets` returns when one is run. */
export const bindActions = (targets: () => ActionTargets): FolderCommands =>
  Object.fromEntries(fileActions.map(({ id, run }) => [id, () => run(targets)])) as FolderCommands;

/** Returns the available actions at `place`, in order. */
export const actionsAt = (place: ActionPlace, context: ActionContext): readonly FileAction[] =>
  // No action is available for an empty selection.
  place === 'selection' && context.count === 0
    ? []
    : fileActions.filter((action) => action.places.includes(place) && action.isOffered(context));

/** Returns the next view when views are cycled (docs/reference/behaviour.md §2). */
export function nextViewMode(mode: ViewMode): ViewMode {
  return viewModes[(viewModes.indexOf(mode) + 1) % viewModes.length] ?? 'list';
}

/** Shows the folder in another view and remembers it. Ctrl+Z restores the previous view. */
export function showView(
  { user, saveView }: Pick<FolderHost, 'user' | 'saveView'>,
  viewMode: ViewMode,
): void {
  const before = user.viewMode;
  offerUndo(() => Promise.resolve(saveView({ viewMode: before })));
  saveView({ viewMode });
}

function clearSelection({ model }: FolderSession): void {
  model.batch(() => {
    model.setSelecting(false);
    model.clearSelection();
  });
}

/** The only selected entry, else the shown folder. */
function selectedOrFolder({ session }: ActionTargets): { path: VirtualPath; isFolder: boolean } {
  const [entry] = session.selectedEntries(1);
  return entry ?? { path: session.path, isFolder: true };
}

/** Puts a text into the system's clipboard and confirms it. */
async function copyAndConfirm(
  text: string,
  message: 'done.copiedPath' | 'done.copiedAddress',
): Promise<void> {
  if (await copyText(text)) toastDone(filesText(message));
  else showToast({ tone: 'error', message: filesText('details.copyFailed') });
}
