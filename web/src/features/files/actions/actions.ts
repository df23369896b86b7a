import type { ViewMode } from '@filestead/contract/users';
import { viewModes } from '@filestead/contract/users';
import {
  ClipboardPaste,
  Copy,
  Download,
  Files,
  FilePlus,
  FileUp,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
  Info,
  LayoutGrid,
  PencilLine,
  RefreshCw,
  Scissors,
  Search,
  Share2,
  SquareCheck,
  Trash2,
} from '../../../ui/icons.ts';
import { maxSeparateDownloads, type ActionPlace, type FileAction, type Situation } from './action.ts';

const isBroken = ({ sample }: Situation): boolean => sample.some(({ type }) => type === 'invalid_link');

/** Single files are downloaded as they are; folders and large selections are not offered. */
const isDownloadable = ({ can, count, sample }: Situation): boolean =>
  can.download &&
  count >= 1 &&
  count <= maxSeparateDownloads &&
  sample.every(({ isFolder, type }) => !isFolder && type !== 'invalid_link');

/** One thing at a time; whoever makes a link also has to be allowed to download what it gives away. */
export const isShareable = (situation: Situation): boolean =>
  situation.can.share && situation.can.download && situation.count === 1 && !isBroken(situation);

/** All actions of the files screen, in the order in which they are shown. */
export const fileActions: readonly FileAction[] = [
  {
    id: 'open',
    icon: FolderOpen,
    keys: ['Enter'],
    places: ['entryMenu'],
    group: 'open',
    isOffered: (situation) => situation.count === 1 && !isBroken(situation),
    run: (commands) => commands.open(),
  },
  {
    id: 'download',
    icon: Download,
    keys: ['Mod+S'],
    places: ['selection', 'entryMenu'],
    group: 'open',
    isOffered: isDownloadable,
    run: (commands) => commands.download(),
  },
  {
    id: 'share',
    icon: Share2,
    keys: ['Mod+Shift+S'],
    places: ['selection', 'entryMenu'],
    group: 'open',
    isOffered: isShareable,
    run: (commands) => commands.share(),
  },
  {
    id: 'move',
    icon: FolderInput,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.rename && count >= 1,
    run: (commands) => commands.move(),
  },
  {
    id: 'copy',
    icon: Copy,
    keys: [],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (commands) => commands.copy(),
  },
  {
    id: 'rename',
    icon: PencilLine,
    keys: ['F2'],
    places: ['selection', 'entryMenu'],
    group: 'edit',
    isOffered: ({ can, count }) => can.rename && count === 1,
    run: (commands) => commands.rename(),
  },
  {
    id: 'cutToClipboard',
    icon: Scissors,
    keys: ['Mod+X'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.rename && count >= 1,
    run: (commands) => commands.cutToClipboard(),
  },
  {
    id: 'copyToClipboard',
    icon: Files,
    keys: ['Mod+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ can, count }) => can.create && count >= 1,
    run: (commands) => commands.copyToClipboard(),
  },
  {
    id: 'createFolder',
    icon: FolderPlus,
    keys: [],
    places: ['newMenu', 'folderMenu'],
    group: 'create',
    isOffered: ({ can }) => can.create,
    run: (commands) => commands.createFolder(),
  },
  {
    id: 'createFile',
    icon: FilePlus,
    keys: [],
    places: ['newMenu', 'folderMenu'],
    group: 'create',
    isOffered: ({ can }) => can.create,
    run: (commands) => commands.createFile(),
  },
  {
    id: 'uploadFiles',
    icon: FileUp,
    keys: [],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: ({ can }) => can.create,
    run: (commands) => commands.uploadFiles(),
  },
  {
    id: 'uploadFolder',
    icon: FolderUp,
    keys: [],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: ({ can }) => can.create,
    run: (commands) => commands.uploadFolder(),
  },
  {
    id: 'paste',
    icon: ClipboardPaste,
    keys: ['Mod+V'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'clipboard',
    isOffered: ({ can, clipboard }) =>
      clipboard !== null && (clipboard.mode === 'copy' ? can.create : can.rename),
    run: (commands) => commands.paste(),
  },
  {
    id: 'selectAll',
    icon: SquareCheck,
    keys: ['Mod+A'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ total }) => total > 0,
    run: (commands) => commands.selectAll(),
  },
  {
    id: 'toggleSelecting',
    icon: SquareCheck,
    keys: [],
    places: ['header', 'phoneMenu'],
    group: 'view',
    isOffered: ({ total, isSelecting }) => total > 0 || isSelecting,
    run: (commands) => commands.toggleSelecting(),
  },
  {
    id: 'switchView',
    icon: LayoutGrid,
    keys: [],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (commands) => commands.switchView(),
  },
  {
    id: 'search',
    icon: Search,
    keys: ['Mod+F', 'Mod+K', '/'],
    places: ['folderMenu'],
    group: 'view',
    isOffered: () => true,
    run: (commands) => commands.search(),
  },
  {
    id: 'reload',
    icon: RefreshCw,
    keys: [],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (commands) => commands.reload(),
  },
  {
    id: 'toggleDetails',
    icon: Info,
    keys: ['Mod+I', 'I'],
    places: ['header', 'entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (commands) => commands.toggleDetails(),
  },
  {
    id: 'remove',
    icon: Trash2,
    keys: ['Delete'],
    places: ['selection', 'entryMenu'],
    group: 'delete',
    isDangerous: true,
    isOffered: ({ can, count }) => can.delete && count >= 1,
    run: (commands) => commands.remove(),
  },
];

/** The actions that apply in `situation` at `place`, in order. */
export const actionsAt = (place: ActionPlace, situation: Situation): readonly FileAction[] =>
  fileActions.filter((action) => action.places.includes(place) && action.isOffered(situation));

/** The view that follows `mode` when the view is switched (product specification §2). */
export function nextViewMode(mode: ViewMode): ViewMode {
  return viewModes[(viewModes.indexOf(mode) + 1) % viewModes.length] ?? 'list';
}
