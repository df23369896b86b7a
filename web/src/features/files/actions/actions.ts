import type { ViewMode } from '@filestead/contract/users';
import { viewModes } from '@filestead/contract/users';
import type { FileEntry } from '../entries/entry.ts';
import {
  ArrowUp,
  ClipboardPaste,
  Copy,
  Download,
  Eye,
  Files,
  FilePlus,
  FileUp,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
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
  Trash2,
  Undo2,
  X,
  ZoomIn,
  ZoomOut,
} from '../../../ui/icons.ts';
import { type ActionPlace, type FileAction, type ActionContext } from './action.ts';

const isBroken = ({ sample }: ActionContext): boolean => sample.some(({ type }) => type === 'invalid_link');

/** Whether a file is shown by the previewer: texts are opened in the editor, folders entered. */
export const isPreviewed = ({ isFolder, type }: Pick<FileEntry, 'isFolder' | 'type'>): boolean =>
  !isFolder && type !== 'text' && type !== 'textImmutable' && type !== 'invalid_link';

/** One thing at a time; whoever makes a link also has to be allowed to download what it gives away. */
export const isShareable = (context: ActionContext): boolean =>
  context.can.share && context.can.download && context.count === 1 && !isBroken(context);

const hasTiles = ({ viewMode }: ActionContext): boolean => viewMode !== 'list';

/** All actions of the files screen, in the order in which they are shown. */
export const fileActions: readonly FileAction[] = [
  {
    id: 'open',
    icon: FolderOpen,
    keys: ['Enter'],
    places: ['entryMenu'],
    group: 'open',
    isOffered: (context) => context.count === 1 && !isBroken(context),
    run: (commands) => commands.open(),
  },
  {
    id: 'preview',
    icon: Eye,
    keys: ['Space'],
    places: ['entryMenu'],
    group: 'open',
    isOffered: ({ count, sample: [entry] }) => count === 1 && entry !== undefined && isPreviewed(entry),
    run: (commands) => commands.preview(),
  },
  {
    id: 'download',
    icon: Download,
    keys: ['Mod+S'],
    places: ['selection', 'entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'open',
    // Without a selection the whole folder is meant.
    isOffered: (context) =>
      context.can.download && (context.count > 0 ? !isBroken(context) : context.total > 0),
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
    id: 'copyPath',
    icon: Copy,
    keys: ['Mod+Shift+C'],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ count }) => count <= 1,
    run: (commands) => commands.copyPath(),
  },
  {
    id: 'copyAddress',
    icon: Link2,
    keys: [],
    places: ['entryMenu'],
    group: 'clipboard',
    isOffered: ({ count }) => count <= 1,
    run: (commands) => commands.copyAddress(),
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
    id: 'largerTiles',
    icon: ZoomIn,
    keys: ['Mod+Plus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: (commands) => commands.largerTiles(),
  },
  {
    id: 'smallerTiles',
    icon: ZoomOut,
    keys: ['Mod+Minus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: (commands) => commands.smallerTiles(),
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
    id: 'goUp',
    icon: ArrowUp,
    keys: ['Backspace', 'Alt+ArrowUp'],
    places: [],
    group: 'view',
    isOffered: ({ isTop }) => !isTop,
    run: (commands) => commands.goUp(),
  },
  {
    id: 'clearSelection',
    icon: X,
    keys: ['Escape'],
    places: [],
    group: 'view',
    isOffered: () => true,
    run: (commands) => commands.clearSelection(),
  },
  {
    id: 'undo',
    icon: Undo2,
    keys: ['Mod+Z'],
    places: [],
    group: 'edit',
    isOffered: ({ canUndo }) => canUndo,
    run: (commands) => commands.undo(),
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
    id: 'toggleShell',
    icon: SquareTerminal,
    keys: ['Ctrl+`'],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ can, hasCommands }) => can.execute && hasCommands,
    run: (commands) => commands.toggleShell(),
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
export const actionsAt = (place: ActionPlace, context: ActionContext): readonly FileAction[] =>
  // Nothing applies to a selection that is not there.
  place === 'selection' && context.count === 0
    ? []
    : fileActions.filter((action) => action.places.includes(place) && action.isOffered(context));

/** The view that follows `mode` when the view is switched (docs/reference/behaviour.md §2). */
export function nextViewMode(mode: ViewMode): ViewMode {
  return viewModes[(viewModes.indexOf(mode) + 1) % viewModes.length] ?? 'list';
}
