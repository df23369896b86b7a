import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { openPath } from '../../api/streams/stream-listing.ts';

/** The state of a file opened by its address. */
export type OpenedFile =
  | { readonly kind: 'loading' }
  | { readonly kind: 'file'; readonly resource: Resource; readonly version: string | null }
  | { readonly kind: 'folder' }
  | { readonly kind: 'failed'; readonly error: unknown };

type Loaded = { readonly path: VirtualPath; readonly attempt: number; readonly opened: OpenedFile };
const loading: OpenedFile = { kind: 'loading' };

/** Reads the file at `path` with its metadata, and its text if it is a text file. Null means that no file is open. */
export function useOpenedFile(path: VirtualPath | null): { opened: OpenedFile; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return undefined;
    const controller = new AbortController();
    const show = (opened: OpenedFile) => {
      if (!controller.signal.aborted) setLoaded({ path, attempt, opened });
    };
    openPath(path, {
      signal: controller.signal,
      onHeader: () => {
        show({ kind: 'folder' });
        controller.abort();
      },
      onRows: () => undefined,
    }).then(
      (result) => result.kind === 'file' && show(result),
      (error: unknown) => show({ kind: 'failed', error }),
    );
    return () => {
      controller.abort();
      setLoaded(null);
    };
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isCurrent = loaded?.path === path && loaded.attempt === attempt;
  return { opened: isCurrent ? loaded.opened : loading, reload };
}
