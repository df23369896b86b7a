import { useSyncExternalStore } from 'react';

const storageKey = 'filestead.sidebar';
/** Below this width the sidebar is collapsed unless the user expanded it, to leave room for the files. */
const wideQuery = '(width >= 1024px)';

type Choice = 'open' | 'collapsed' | null;

function storedChoice(): Choice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'open' || stored === 'collapsed' ? stored : null;
  } catch {
    // Storage is forbidden: the choice lasts until the page is closed.
    return null;
  }
}

let choice: Choice = storedChoice();
const listeners = new Set<() => void>();

export function isSidebarCollapsed(): boolean {
  return choice === null ? !matchMedia(wideQuery).matches : choice === 'collapsed';
}

/** Collapses the sidebar to its icons, or expands it; the choice is stored in this browser. */
export function toggleSidebar(): void {
  choice = isSidebarCollapsed() ? 'open' : 'collapsed';
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // Storage is forbidden or full: the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
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

export function useIsSidebarCollapsed(): boolean {
  return useSyncExternalStore(subscribe, isSidebarCollapsed);
}
