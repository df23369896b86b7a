import { isNavigationBlocked, navigateWhenAllowed } from './block-navigation.ts';
import type { Location, NavigationType, Navigator } from './router.tsx';

/** An entry of the browser's history, and the kind of navigation that led to it. */
interface HistoryEntry {
  readonly action: NavigationType;
  readonly location: Location;
}

/** The browser's history, through which a router navigates. */
interface PageHistory {
  /** Returns the current entry. */
  current(): HistoryEntry;
  readonly navigator: Navigator;
  /** Calls `listener` with each new entry. Returns the function that unsubscribes. */
  listen(listener: (entry: HistoryEntry) => void): () => void;
}

/** The state of a history entry: `usr` is the state that the caller passed, `idx` the position of the entry. */
interface EntryState {
  readonly usr: unknown;
  readonly key: string;
  readonly idx: number;
}

const entryState = (): Partial<EntryState> => {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? state : {};
};

/** The position of the last entry of the browser's history that this page has added or visited. */
let furthest = 0;

/** Whether this page can go back and forward within its own entries of the browser's history. */
export function historyReach(): { readonly canGoBack: boolean; readonly canGoForward: boolean } {
  const { idx = 0 } = entryState();
  return { canGoBack: idx > 0, canGoForward: idx < furthest };
}

/** Returns the position of the shown entry in the browser's history, counted from the first entry of this page. */
export const historyPosition = (): number => entryState().idx ?? 0;

const newKey = (): string => Math.random().toString(36).slice(2, 10);

const currentLocation = (): Location => {
  const { pathname, search, hash } = window.location;
  const { usr = null, key = 'default' } = entryState();
  return { pathname, search, hash, state: usr, key };
};

/** Opens the history of this page. */
export function openPageHistory(): PageHistory {
  let action: NavigationType = 'pop';
  let index = 0;
  let isReturning = false;
  let notify: ((entry: HistoryEntry) => void) | null = null;

  const current = (): HistoryEntry => ({ action, location: currentLocation() });
  const applyEntry = (by: NavigationType): void => {
    action = by;
    index = entryState().idx ?? 0;
    furthest = by === 'push' ? index : Math.max(furthest, index);
    notify?.(current());
  };

  const push = (address: string, state?: unknown): void => {
    const entry: EntryState = { usr: state, key: newKey(), idx: (entryState().idx ?? 0) + 1 };
    try {
      window.history.pushState(entry, '', address);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataCloneError') throw error;
      // Browsers limit how many entries a page may add; loading the page at the new address still works.
      window.location.assign(address);
    }
    applyEntry('push');
  };
  const replace = (address: string, state?: unknown): void => {
    const entry: EntryState = { usr: state, key: newKey(), idx: entryState().idx ?? 0 };
    window.history.replaceState(entry, '', address);
    applyEntry('replace');
  };

  /** Handles a step that the browser has already made: if it is blocked, goes back and repeats the step later. */
  const onPopState = (): void => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    if (!isNavigationBlocked()) return applyEntry('pop');
    const { idx } = entryState();
    const steps = idx === undefined ? -1 : idx - index;
    if (steps === 0) return;
    isReturning = true;
    window.history.go(-steps);
    navigateWhenAllowed(() => window.history.go(steps));
  };

  return {
    current,
    navigator: {
      push: (address, state) => navigateWhenAllowed(() => push(address, state)),
      replace: (address, state) => navigateWhenAllowed(() => replace(address, state)),
      go: (steps) => navigateWhenAllowed(() => window.history.go(steps)),
    },
    listen(listener) {
      const { idx } = entryState();
      if (idx === undefined) window.history.replaceState({ ...entryState(), idx: 0 }, '');
      index = idx ?? 0;
      furthest = Math.max(furthest, index);
      notify = listener;
      window.addEventListener('popstate', onPopState);
      return () => {
        notify = null;
        window.removeEventListener('popstate', onPopState);
      };
    },
  };
}
