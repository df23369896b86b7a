import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { Pocket } from '../../../ui/names/pocket.tsx';
import { type Cover, emptyCover, loadCover } from './load-cover.ts';

/** A folder as a pocket with its latest pictures or files. While `isDelayed` these are not requested. */
export function FolderCover({ path, isDelayed = false }: { path: VirtualPath; isDelayed?: boolean }) {
  const [cover, setCover] = useState<Cover>(emptyCover);
  useEffect(() => {
    if (isDelayed) return undefined;
    const aborting = new AbortController();
    const load = async (): Promise<void> => {
      const loaded = await loadCover(path, aborting.signal);
      if (!aborting.signal.aborted) setCover(loaded);
    };
    void load();
    return () => aborting.abort();
  }, [path, isDelayed]);
  return <Pocket {...cover} />;
}
