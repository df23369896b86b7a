import { useSyncExternalStore } from 'react';
import { maxSeparateDownloads, type Situation } from './actions/action.ts';
import { readClipboard, useClipboard } from './clipboard.ts';
import { useDetails } from './details-state.ts';
import type { FolderSession } from './folder-session.ts';
import type { FolderUser } from './folder-surroundings.ts';

/** What decides, now, which actions apply. */
export function readSituation(session: FolderSession, user: FolderUser): Situation {
  const { model } = session;
  const count = model.selectedCount;
  return {
    can: user.perm,
    count,
    sample: count > maxSeparateDownloads + 1 ? [] : session.selectedEntries(),
    total: model.count,
    clipboard: readClipboard(),
    viewMode: user.viewMode,
    isSelecting: model.isSelecting,
    areDetailsOpen: useDetails.getState().isOpen,
  };
}

/** {@link readSituation}, again whenever it may have changed. */
export function useSituation(session: FolderSession, user: FolderUser): Situation {
  const { model } = session;
  useSyncExternalStore(model.subscribe, () => `${model.selectionVersion} ${model.orderVersion}`);
  useClipboard();
  useDetails();
  return readSituation(session, user);
}

/** The bytes of the selected files, computed once per change of the selection. */
export function useSelectedBytes({ model }: FolderSession): number {
  return useSyncExternalStore(model.subscribe, () => model.selectedBytes);
}
