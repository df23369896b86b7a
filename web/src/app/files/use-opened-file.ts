import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { openPath } from '../../api/stream-listing.ts';

/** The state of a file opened by its address. */
export type OpenedFile =
  | { readonly kind: 'loading' }
  | { readonly kind: 'file'; readonly resource: Resource; readonly version: string | null }
  | { readonly kind: 'folder' }
  | { readonly kind: 'failed'; readonly error: unknown };

type Known = { readonly path: VirtualPath; readonly attempt: number; readonly opened: OpenedFile };
const loading: OpenedFile = { kind: 'loading' };

/** Reads the file at `path` with its metadata, and its text if it is a text file. Null means that no file is open. */
export function useOpenedFile(path: VirtualPath | null): { opened: OpenedFile; reload: () => void } {
  const [known, setKnown] = useState<Known | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return undefined;
    const leave = new AbortController();
    const show = (opened: OpenedFile) => {
      if (!leave.signal.aborted) setKnown({ path, attempt, opened });
    };
    openPath(path, {
      signal: leave.signal,
      onHeader: () => {
        show({ kind: 'folder' });
        leave.abort();
      },
      onRows: () => undefined,
    }).then(
      (found) => found.kind === 'file' && show(found),
      (error: unknown) => show({ kind: 'failed', error }),
    );
    return () => {
      leave.abort();
      setKnown(null);
    };
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isCurrent = known?.path === path && known.attempt === attempt;
  return { opened: isCurrent ? known.opened : loading, reload };
}
