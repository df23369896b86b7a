import { useState, useSyncExternalStore } from 'react';
import { isCatalogueOn } from '../../../api/catalogue.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { maxSample, type ActionContext } from './action.ts';
import { readClipboard, useClipboard } from '../clipboard/clipboard.ts';
import { useDetails } from '../details/details-state.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import type { FolderUser } from '../folder/folder-host.ts';
import { useShell } from '../folder/shell-state.ts';

/** Returns the current state that decides which actions are available. */
export function readActionContext(session: FolderSession, user: FolderUser): ActionContext {
  const { model } = session;
  const count = model.selectedCount;
  return {
    can: user.perm,
    count,
    sample: count > maxSample ? [] : session.selectedEntries(),
    hasEntries: model.count > 0,
    clipboard: readClipboard(),
    viewMode: user.viewMode,
    isSelecting: model.isSelecting,
    areDetailsOpen: useDetails.getState().isOpen,
    hasCommands: pageConfig.EnableExec,
    hasSizes: isCatalogueOn(),
    hasTrash: pageConfig.EnableTrash,
    isShellOpen: useShell.getState().isOpen,
    isFolder: session.isFolder,
    hasViews: session.hasViews,
    isTop: session.path === '/',
  };
}

/** Returns {@link readActionContext} and renders again whenever it may have changed. */
export function useActionContext(session: FolderSession, user: FolderUser): ActionContext {
  const { model } = session;
  // Rows that appear or disappear change it only while some are selected: then it contains entries.
  useSyncExternalStore(
    model.subscribe,
    () => `${model.selectionVersion} ${model.selectedCount > 0 ? model.orderVersion : model.count > 0}`,
  );
  useClipboard();
  useDetails();
  useShell();
  return readActionContext(session, user);
}

/**
 * Returns the total size of the selected files, computed once per change of the selection; 0 while a folder, whose size
 * is unknown, is selected.
 */
export function useSelectedBytes({ model }: FolderSession): number {
  const version = useSyncExternalStore(model.subscribe, () => model.selectionVersion);
  const [cached, setCached] = useState({ model, version: -1, bytes: 0 });
  if (cached.model === model && cached.version === version) return cached.bytes;
  const bytes = model.hasSelectedFolder ? 0 : model.selectedBytes;
  setCached({ model, version, bytes });
  return bytes;
}
