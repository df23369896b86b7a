import { useSyncExternalStore } from 'react';

const storageKey = 'filestead.sidebar';
/** Below this the sidebar is small unless it was opened by hand: the files need the room. */
const roomyQuery = '(width >= 1024px)';

type Choice = 'open' | 'collapsed' | null;

function storedChoice(): Choice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'open' || stored === 'collapsed' ? stored : null;
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
    return null;
  }
}

let choice: Choice = storedChoice();
const listeners = new Set<() => void>();

export function isSidebarCollapsed(): boolean {
  return choice === null ? !matchMedia(roomyQuery).matches : choice === 'collapsed';
}

/** Collapses the sidebar to its icons, or opens it; remembered in this browser. */
export function toggleSidebar(): void {
  choice = isSidebarCollapsed() ? 'open' : 'collapsed';
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // See storedChoice.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const roomy = matchMedia(roomyQuery);
  roomy.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    roomy.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}

export function useIsSidebarCollapsed(): boolean {
  return useSyncExternalStore(subscribe, isSidebarCollapsed);
}
