import { useSyncExternalStore } from 'react';
import { storedText, storeText } from '../../ui/browser-storage.ts';

const storageKey = 'filestead.sidebar';
/** In narrower windows the sidebar is a drawer over the content. */
const wideQuery = '(width >= 1024px)';

/** `open`: with labels; `icons`: collapsed to its icons; `drawer`: over the content; `hidden`: a closed drawer. */
export type SidebarState = 'open' | 'icons' | 'drawer' | 'hidden';

let isCollapsed = storedText(storageKey) === 'collapsed';
let isDrawerOpen = false;
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

function sidebarState(): SidebarState {
  if (matchMedia(wideQuery).matches) return isCollapsed ? 'icons' : 'open';
  return isDrawerOpen ? 'drawer' : 'hidden';
}

/** Collapses the sidebar to its icons or expands it, and stores the choice; on narrow windows toggles the drawer. */
export function toggleSidebar(): void {
  if (!matchMedia(wideQuery).matches) {
    isDrawerOpen = !isDrawerOpen;
    notify();
    return;
  }
  isCollapsed = !isCollapsed;
  storeText(storageKey, isCollapsed ? 'collapsed' : 'open');
  notify();
}

export function closeDrawer(): void {
  if (!isDrawerOpen) return;
  isDrawerOpen = false;
  notify();
}

function subscribe(listener: () => void): () => void {
  const wideScreen = matchMedia(wideQuery);
  wideScreen.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    wideScreen.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}

export const useSidebarState = (): SidebarState => useSyncExternalStore(subscribe, sidebarState);
