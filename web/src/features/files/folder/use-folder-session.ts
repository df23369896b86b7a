import {
  isAtOrBelow,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { useState, useSyncExternalStore } from 'react';
import { FolderSession, type FolderStatus } from './folder-session.ts';

/**
 * The session of `folder`: a new one for each folder. `shown` is the path on the screen, the folder itself or a file in
 * it; coming up from it later scrolls to the entry on the way. It is not selected: nobody has chosen it, and Delete
 * would act on it.
 */
export function useFolderSession(folder: VirtualPath, shown: VirtualPath): FolderSession {
  const [current, setCurrent] = useState(() => ({ session: new FolderSession(folder), shown }));
  if (current.session.path === folder && current.shown === shown) return current.session;
  const session =
    current.session.path === folder
      ? current.session
      : new FolderSession(folder, pathToDescendant(folder, current.shown));
  setCurrent({ session, shown });
  return session;
}

/** The name in `folder` that leads to `left`, when one comes up from there. */
export function pathToDescendant(folder: VirtualPath, left: VirtualPath): string[] {
  return left === folder || !isAtOrBelow(left, folder)
    ? []
    : segmentsOf(relativeTo(left, folder)).slice(0, 1);
}

export function useFolderStatus(session: FolderSession): FolderStatus {
  return useSyncExternalStore(session.subscribe, session.getStatus);
}
