import {
  isAtOrBelow,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { useState, useSyncExternalStore } from 'react';
import { FolderSession, type FolderStatus } from './folder-session.ts';

/**
 * Returns the session of `folder`, a new one for each folder. `shown` is the path on the screen: the folder or a file
 * in it. When the user later moves up from there, the entry on the way is scrolled to, but not selected: the user has
 * not chosen it, and Delete would apply to it.
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

/** Returns the name in `folder` that leads to `descendant`, the path from which the user moves up. */
export function pathToDescendant(folder: VirtualPath, descendant: VirtualPath): string[] {
  return descendant === folder || !isAtOrBelow(descendant, folder)
    ? []
    : segmentsOf(relativeTo(descendant, folder)).slice(0, 1);
}

export function useFolderStatus(session: FolderSession): FolderStatus {
  return useSyncExternalStore(session.subscribe, session.getStatus);
}
