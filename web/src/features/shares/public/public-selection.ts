import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';

/** The entries that a visitor has selected for download. */
export interface PublicSelection {
  readonly paths: ReadonlySet<VirtualPath>;
  /** Whether a press on an item selects it instead of opening it. */
  readonly isSelecting: boolean;
  readonly toggle: (path: VirtualPath) => void;
  readonly selectAll: (paths: readonly VirtualPath[]) => void;
  readonly toggleSelecting: () => void;
  readonly clear: () => void;
}

const none: ReadonlySet<VirtualPath> = new Set();

/** The selection in the folder `folder`; another folder starts without one. Escape clears it. */
export function usePublicSelection(folder: string): PublicSelection {
  const [state, setState] = useState({ folder, paths: none, isSelecting: false });
  if (state.folder !== folder) setState({ folder, paths: none, isSelecting: false });
  const clear = useCallback(() => {
    setState((before) => ({ ...before, paths: none, isSelecting: false }));
  }, []);
  const hasAny = state.paths.size > 0 || state.isSelecting;
  useEffect(() => {
    if (!hasAny) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      // Escape in a menu or dialog closes only that.
      const isElsewhere = document.querySelector('[role="menu"], [role="dialog"]') !== null;
      if (event.key === 'Escape' && !isElsewhere) clear();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [hasAny, clear]);
  const toggle = useCallback((path: VirtualPath) => {
    setState((before) => {
      const paths = new Set(before.paths);
      if (!paths.delete(path)) paths.add(path);
      return { ...before, paths };
    });
  }, []);
  const selectAll = useCallback((paths: readonly VirtualPath[]) => {
    setState((before) => ({ ...before, paths: new Set(paths) }));
  }, []);
  const toggleSelecting = useCallback(() => {
    setState((before) => ({ ...before, paths: none, isSelecting: !before.isSelecting }));
  }, []);
  return { ...state, toggle, selectAll, toggleSelecting, clear };
}
