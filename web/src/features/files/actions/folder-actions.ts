import { parentOf } from '@filestead/contract/paths/virtual-path';
import { setDetailsOpen, useDetails } from '../details/details-state.ts';
import { redoLast, undoLast } from '../feedback/undo.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { reloadFolder } from '../folder/reload-folder.ts';
import { toggleShell } from '../folder/shell-state.ts';
import { stepTiles } from '../folder/view-options.ts';
import { type ActionEntry, selectedOrFolder } from './action.ts';
import { nextViewMode, showView } from './change-view.ts';
import { canCreateHere, hasTiles, isOneFolder } from './conditions.ts';
import { paste } from './copy-or-move.ts';
import { createInDialog } from './name-prompts.ts';

function clearSelection({ model }: FolderSession): void {
  model.batch(() => {
    model.setSelecting(false);
    model.clearSelection();
  });
}

/** Actions on the shown folder and its view, in the order in which they are shown. */
export const folderActions = [
  {
    id: 'createFolder',
    icon: 'folderPlus',
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
    icon: 'filePlus',
    keys: [],
    places: ['newMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => createInDialog('file', targets),
  },
  {
    id: 'uploadFiles',
    icon: 'fileUp',
    keys: ['Mod+U'],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => targets().host.chooseUploads('files'),
  },
  {
    id: 'uploadFolder',
    icon: 'folderUp',
    keys: [],
    places: ['uploadMenu', 'folderMenu'],
    group: 'create',
    isOffered: canCreateHere,
    run: (targets) => targets().host.chooseUploads('folder'),
  },
  {
    id: 'paste',
    icon: 'clipboardPaste',
    keys: ['Mod+V'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'clipboard',
    isOffered: ({ can, clipboard, isFolder }) =>
      isFolder && clipboard !== null && (clipboard.mode === 'copy' ? can.create : can.rename),
    run: (targets) => paste(targets().session.path, targets().host.user.perm),
  },
  {
    id: 'selectAll',
    icon: 'squareCheck',
    keys: ['Mod+A'],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ hasEntries }) => hasEntries,
    run: (targets) => targets().session.model.selectAll(),
  },
  {
    id: 'toggleSelecting',
    icon: 'listChecks',
    keys: [],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ hasEntries, isSelecting }) => hasEntries || isSelecting,
    run: (targets) => {
      const { session } = targets();
      if (session.model.isSelecting) clearSelection(session);
      else session.model.setSelecting(true);
    },
  },
  {
    id: 'switchView',
    icon: 'layoutGrid',
    keys: [],
    places: ['folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ hasViews }) => hasViews,
    run: (targets) => {
      const { host } = targets();
      showView(host, nextViewMode(host.user.viewMode));
    },
  },
  {
    id: 'largerTiles',
    keys: ['Mod+Plus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: () => stepTiles(1),
  },
  {
    id: 'smallerTiles',
    keys: ['Mod+Minus'],
    places: [],
    group: 'view',
    isOffered: hasTiles,
    run: () => stepTiles(-1),
  },
  {
    id: 'search',
    icon: 'search',
    keys: ['Mod+F', 'Mod+K'],
    places: ['folderMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => targets().host.openSearch(targets().session.path),
  },
  {
    id: 'filter',
    icon: 'filter',
    keys: ['/'],
    places: ['folderMenu'],
    group: 'view',
    isOffered: ({ hasEntries, isFolder }) => isFolder && hasEntries,
    run: (targets) => targets().showFilter(),
  },
  {
    id: 'goUp',
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
    keys: ['Escape'],
    places: [],
    group: 'view',
    isOffered: () => true,
    run: (targets) => clearSelection(targets().session),
  },
  {
    id: 'undo',
    keys: ['Mod+Z'],
    places: [],
    group: 'edit',
    isOffered: () => true,
    run: undoLast,
  },
  {
    id: 'redo',
    keys: ['Mod+Shift+Z'],
    places: [],
    group: 'edit',
    isOffered: () => true,
    run: redoLast,
  },
  {
    id: 'reload',
    icon: 'refresh',
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
    icon: 'info',
    keys: ['Mod+I'],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: () => true,
    run: (targets) => setDetailsOpen(!useDetails.getState().isOpen, targets().session.model.selectionVersion),
  },
  {
    id: 'showSpace',
    icon: 'hardDrive',
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: (context) => context.hasSizes && isOneFolder(context),
    run: (targets) => targets().host.openSpace(selectedOrFolder(targets()).path),
  },
  {
    id: 'showDeleted',
    icon: 'archiveRestore',
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: (context) => context.hasTrash && isOneFolder(context),
    run: (targets) => targets().host.openTrash(selectedOrFolder(targets()).path),
  },
  {
    id: 'rewind',
    icon: 'history',
    keys: [],
    places: ['entryMenu', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: (context) => context.hasTrash && context.can.modify && isOneFolder(context),
    run: (targets) => targets().host.openRewind(selectedOrFolder(targets()).path),
  },
  {
    id: 'toggleShell',
    icon: 'terminal',
    keys: ['Ctrl+`'],
    places: ['header', 'folderMenu', 'phoneMenu'],
    group: 'view',
    isOffered: ({ can, hasCommands, isFolder }) => isFolder && can.execute && hasCommands,
    run: toggleShell,
  },
] as const satisfies readonly ActionEntry[];
