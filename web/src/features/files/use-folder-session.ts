import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useState, useSyncExternalStore } from 'react';
import { FolderSession, type FolderStatus } from './folder-session.ts';

/** The session of the folder `path`: a new one for each folder, with `reveal` selected as soon as it is there. */
export function useFolderSession(path: VirtualPath, reveal: readonly string[]): FolderSession {
  const [session, setSession] = useState(() => new FolderSession(path, reveal));
  if (session.path === path) return session;
  const next = new FolderSession(path, reveal);
  setSession(next);
  return next;
}

export function useFolderStatus(session: FolderSession): FolderStatus {
  return useSyncExternalStore(session.subscribe, session.getStatus);
}
