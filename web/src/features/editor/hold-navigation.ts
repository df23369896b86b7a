import type { Navigator } from 'react-router';

/** Where in its history the router is; it keeps that in each entry's state. */
const indexOf = (state: unknown): number | null => {
  const index: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'idx') : null;
  return typeof index === 'number' ? index : null;
};

/**
 * Keeps the app where it is until the returned function is called: navigation within it, back and forward. Each attempt
 * is handed to `onHeld` as the way to make it after all, once released. The declarative router has no blocker of its
 * own, but every link and call passes through its navigator.
 */
export function holdNavigation(navigator: Navigator, onHeld: (go: () => void) => void): () => void {
  const { push, replace } = navigator;
  navigator.push = (...target) => onHeld(() => push.apply(navigator, target));
  navigator.replace = (...target) => onHeld(() => replace.apply(navigator, target));

  const here = indexOf(history.state);
  let isReturning = false;
  const onPopState = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    if (isReturning) {
      isReturning = false;
      return;
    }
    const there = indexOf(event.state);
    const steps = here !== null && there !== null ? there - here : -1;
    if (steps === 0) return;
    // The browser has gone already: come back, and go again when the user says so.
    isReturning = true;
    history.go(-steps);
    onHeld(() => history.go(steps));
  };
  // At the window itself, listeners that capture come before the router's own.
  window.addEventListener('popstate', onPopState, { capture: true });

  return () => {
    navigator.push = push;
    navigator.replace = replace;
    window.removeEventListener('popstate', onPopState, { capture: true });
  };
}
