import { useEffect, useSyncExternalStore } from 'react';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { afterFirstScreen } from './after-first-screen.ts';

/** Shows favourites and tags in the rows of a folder. Their code is loaded once the entries have arrived. */
export function useDecoratedFolder(session: FolderSession): void {
  const { model } = session;
  const isReady = useSyncExternalStore(model.subscribe, () => model.phase === 'ready');
  useEffect(() => {
    if (!isReady) return undefined;
    const left = new AbortController();
    // Rows without marks are complete otherwise; the next folder tries again.
    decorate(session, left.signal).catch(() => undefined);
    return () => left.abort();
  }, [session, isReady]);
}

async function decorate(session: FolderSession, left: AbortSignal): Promise<void> {
  await afterFirstScreen();
  if (left.aborted) return;
  const { decorateFolder } = await import('./decorate-folder.tsx');
  if (!left.aborted) left.addEventListener('abort', decorateFolder(session), { once: true });
}
