import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { listPublicMedia } from '@filestead/contract/shares';
import { maxMediaNames } from '@filestead/contract/values/limits';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { type PublicEntry, type PublicItem, hasPicture } from './open-public.ts';

/** The longest time for which a page waits for sizes before it shows its pictures, in milliseconds. */
const maxWaitMs = 300;

/** Width divided by height of pictures by their paths; null where the server does not know it, absent without a response. */
export type PictureRatios = ReadonlyMap<VirtualPath, number | null>;

/** Requests the proportions of `items` of a shared folder, and calls `onRatios` with those of each response. Throws `ApiError`. */
async function loadRatios(
  { hash, path, token }: PublicEntry,
  items: readonly PublicItem[],
  signal: AbortSignal,
  onRatios: (ratios: PictureRatios) => void,
): Promise<void> {
  for (let first = 0; first < items.length;) {
    const part = items.slice(first, first + maxMediaNames);
    const { rows } = await call(listPublicMedia, {
      params: { hash },
      path,
      query: { token },
      body: { names: part.map(({ name }) => name) },
      signal,
    });
    if (rows.length === 0) return;
    const ratios = new Map<VirtualPath, number | null>();
    for (const [index, row] of rows.entries()) {
      const item = part[index];
      if (item) ratios.set(item.path, row && row.width / row.height);
    }
    onRatios(ratios);
    first += rows.length;
  }
}

/**
 * Returns the proportions of the pictures and videos among `shown`, the shown items of `entry`, so that their rows can be laid out
 * before they are loaded. `isWaiting` is true at first, until a response has arrived or {@link maxWaitMs} have passed.
 */
export function usePictureRatios(
  entry: PublicEntry,
  shown: readonly PublicItem[],
  isWanted: boolean,
): { ratios: PictureRatios; isWaiting: boolean } {
  const [ratios, setRatios] = useState<PictureRatios>(new Map());
  const [isSettled, setSettled] = useState(false);
  const known = useRef(ratios);
  useEffect(() => {
    if (!isWanted) return undefined;
    const missing = shown.filter((item) => hasPicture(item) && !known.current.has(item.path));
    const controller = new AbortController();
    const settle = () => {
      if (!controller.signal.aborted) setSettled(true);
    };
    const timer = setTimeout(settle, maxWaitMs);
    loadRatios(entry, missing, controller.signal, (more) => {
      known.current = new Map([...known.current, ...more]);
      setRatios(known.current);
      settle();
      // Without a response the pictures have their own proportions once they are loaded.
    }).then(settle, settle);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [entry, shown, isWanted]);
  return { ratios, isWaiting: isWanted && !isSettled && shown.some(hasPicture) };
}
