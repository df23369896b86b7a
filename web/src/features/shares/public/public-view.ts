import { useState } from 'react';
import type { PublicItem } from './open-public.ts';
import { storedText, storeText } from '../../../ui/browser-storage.ts';

export const publicViews = ['list', 'grid'] as const;
export type PublicView = (typeof publicViews)[number];

const storageKey = 'filestead.share-view';

/**
 * Returns the view that was chosen before in this browser, otherwise a grid for pictures and a list for anything else.
 */
function initialView(items: readonly PublicItem[]): PublicView {
  const stored = storedText(storageKey);
  const known = publicViews.find((view) => view === stored);
  if (known) return known;
  const pictures = items.filter(({ type }) => type === 'image' || type === 'video').length;
  return pictures > 0 && pictures * 2 >= items.length ? 'grid' : 'list';
}

/** The view of the items of a shared folder. */
export function usePublicView(items: readonly PublicItem[]): [PublicView, (view: PublicView) => void] {
  const [view, setView] = useState(() => initialView(items));
  const choose = (next: PublicView) => {
    setView(next);
    storeText(storageKey, next);
  };
  return [view, choose];
}
