import { parentOf } from '@filestead/contract/paths/virtual-path';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Copy, Download, FolderInput, PencilLine, Share2, Star, Tag, Trash2 } from '../../../ui/icons.ts';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import { downloadEntries, downloadFolder, downloadInFormat } from '../downloads/download-entries.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';
import { type ActionEntry, type ActionTargets, selectedOrFolder } from './action.ts';
import { canPack, hasVersions, isBroken, isDownloadable, isShareable, isSingle } from './conditions.ts';
import { setClipboard, transferSelected } from './copy-or-move.ts';
import { transferEntries } from './lazy-changes.ts';
import { renameInDialog } from './name-prompts.ts';
import { isPreviewed, isReadableArchive, openEntry, previewEntry } from './open-entry.ts';
import { removeSelected } from './remove-selected.ts';

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

/** Puts a text into the system's clipboard and confirms it. */
async function copyAndConfirm(
  text: string,
  message: 'done.copiedPath' | 'done.copiedAddress',
): Promise<void> {
  if (await copyText(text)) toastDone(filesText(message));
  else showToast({ tone: 'error', message: filesText('details.copyFailed') });
}

/** Actions on the selected entries, in the order in which they are shown. */
export const entryActions = [
  {
    id: 'open',
    icon: 'folderOpen',
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
    icon: 'folderSearch',
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
    icon: 'eye',
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
    isOffered: isDownloadable,
    run: (targets) => {
      const { session } = targets();
      if (session.model.selectedCount > 0) downloadEntries(session.selectedEntries());
      else downloadFolder(session.path);
    },
  },
  {
    id: 'downloadAs',
    icon: 'folderDown',
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'open',
    isOffered: (context) =>
      isDownloadable(context) && (context.count !== 1 || context.sample[0]?.isFolder === true),
    run: (targets) => {
      const { session } = targets();
      downloadInFormat(session.selectedEntries(), session.path);
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
    icon: 'history',
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
    run: (targets) => transferSelected('move', targets),
  },
  {
    id: 'copy',
    icon: Copy,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (targets) => transferSelected('copy', targets),
  },
  {
    id: 'duplicate',
    icon: 'copyPlus',
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
    icon: 'packageOpen',
    keys: [],
    places: ['entryMenu'],
    group: 'edit',
    isOffered: (context) =>
      canPack(context) && context.sample.length > 0 && context.sample.every(isReadableArchive),
    run: (targets) => void withArchiveJobs(targets, (jobs, { session }) => jobs.extractHere(session)),
  },
  {
    id: 'compress',
    icon: 'archive',
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
    icon: 'scissors',
    keys: ['Mod+X'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.rename && count >= 1,
    run: (targets) => setClipboard({ mode: 'cut', entries: targets().session.selectedEntries() }),
  },
  {
    id: 'copyToClipboard',
    icon: 'clipboardCopy',
    keys: ['Mod+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (targets) => setClipboard({ mode: 'copy', entries: targets().session.selectedEntries() }),
  },
  {
    id: 'copyPath',
    icon: 'squareSlash',
    keys: ['Mod+Shift+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: isSingle,
    run: (targets) => void copyAndConfirm(selectedOrFolder(targets()).path, 'done.copiedPath'),
  },
  {
    id: 'copyAddress',
    icon: 'link',
    keys: [],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: isSingle,
    run: (targets) => {
      const { path, isFolder } = selectedOrFolder(targets());
      void copyAndConfirm(targets().host.addressOf(path, isFolder), 'done.copiedAddress');
    },
  },
] as const satisfies readonly ActionEntry[];

/** Actions that delete the selected entries; they are shown last. */
export const removalActions = [
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
    keys: ['Shift+Delete'],
    places: [],
    group: 'delete',
    isDangerous: true,
    isOffered: ({ can, count, hasTrash }) => hasTrash && can.delete && can.purge && count >= 1,
    isDenied: ({ can, count, hasTrash }) => hasTrash && can.delete && !can.purge && count >= 1,
    run: (targets) => removeSelected(targets, true),
  },
] as const satisfies readonly ActionEntry[];
