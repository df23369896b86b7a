import { useEffect, useSyncExternalStore } from 'react';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { afterFirstScreen } from './after-first-screen.ts';

/** Shows favorites and tags in the rows of a folder. Their code is loaded once the entries have arrived. */
export function useDecoratedFolder(session: FolderSession): void {
  const { model } = session;
  const isReady = useSyncExternalStore(model.subscribe, () => model.phase === 'ready');
  useEffect(() => {
    if (!isReady) return undefined;
    const controller = new AbortController();
    // Rows without marks are complete otherwise; the next folder tries again.
    decorate(session, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [session, isReady]);
}

async function decorate(session: FolderSession, signal: AbortSignal): Promise<void> {
  await afterFirstScreen();
  if (signal.aborted) return;
  const { decorateFolder } = await import('./decorate-folder.tsx');
  if (!signal.aborted) signal.addEventListener('abort', decorateFolder(session), { once: true });
}
