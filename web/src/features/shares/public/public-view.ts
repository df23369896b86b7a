import { useState } from 'react';
import type { PublicItem } from './open-public.ts';

export const publicViews = ['list', 'grid'] as const;
export type PublicView = (typeof publicViews)[number];

const storageKey = 'filestead.share-view';

/**
 * Returns the view that was chosen before in this browser, otherwise a grid for pictures and a list for anything else.
 */
function initialView(items: readonly PublicItem[]): PublicView {
  try {
    const stored = localStorage.getItem(storageKey);
    const known = publicViews.find((view) => view === stored);
    if (known) return known;
  } catch {
    // Storage is forbidden.
  }
  const pictures = items.filter(({ type }) => type === 'image' || type === 'video').length;
  return pictures > 0 && pictures * 2 >= items.length ? 'grid' : 'list';
}

/** The view of the items of a shared folder. */
export function usePublicView(items: readonly PublicItem[]): [PublicView, (view: PublicView) => void] {
  const [view, setView] = useState(() => initialView(items));
  const choose = (next: PublicView) => {
    setView(next);
    try {
      localStorage.setItem(storageKey, next);
    } catch {
      // The choice lasts until the page is left.
    }
  };
  return [view, choose];
}
