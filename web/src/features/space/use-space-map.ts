import { getMap, type MapResult } from '@filestead/contract/endpoints/find';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { isAbort } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { isCatalogueOn, recordCatalogueOff } from '../../api/catalogue.ts';
import { mapTree, type MapNode } from './map-tree.ts';

/** The state of a map. `off`: the server counts no sizes. `unknown`: not those of this folder. */
export type SpaceState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'off' }
  | { readonly kind: 'building' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'shown'; readonly root: MapNode; readonly checkedAtMs: number | null }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The levels of folders in the map, and its entries. */
const depth = 3;
const maxEntries = 500;
/** The interval of requests while the sizes are being counted, in ms. */
const whileBuildingMs = 1500;

interface Loaded {
  /** The attempt and the path. */
  readonly key: string;
  readonly state: SpaceState;
}

/** Loads the sizes of the entries of a folder, repeatedly while the server is counting them. */
export function useSpaceMap(path: VirtualPath): { state: SpaceState; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const key = `${attempt} ${path}`;
  const isOff = !isCatalogueOn();
  useEffect(() => {
    if (isOff) return undefined;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const state = await loadState(path, controller.signal);
      if (controller.signal.aborted) return;
      setLoaded({ key, state });
      if (state.kind === 'building') timer = setTimeout(() => void load(), whileBuildingMs);
    };
    void load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, key, isOff]);
  if (isOff) return { state: { kind: 'off' }, reload };
  return { state: loaded?.key === key ? loaded.state : { kind: 'loading' }, reload };
}

async function loadState(path: VirtualPath, signal: AbortSignal): Promise<SpaceState> {
  try {
    const query = { depth: String(depth), limit: String(maxEntries) };
    return stateOf(await call(getMap, { path, isFolder: true, query, signal }));
  } catch (error) {
    if (isAbort(error)) return { kind: 'loading' };
    return recordCatalogueOff(error) ? { kind: 'off' } : { kind: 'failed', error };
  }
}

function stateOf(result: MapResult): SpaceState {
  const root = mapTree(result);
  if (result.coverage === 'building') return { kind: 'building' };
  if (root === null) return { kind: 'unknown' };
  const checkedAtMs = result.checkedAt === null ? null : Date.parse(result.checkedAt);
  return { kind: 'shown', root, checkedAtMs };
}
