import type { Navigator } from 'react-router';

/** Where in its history the router is; it keeps that in each entry's state. */
const indexOf = (state: unknown): number | null => {
  const index: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'idx') : null;
  return typeof index === 'number' ? index : null;
};

let hold: ((event: PopStateEvent) => void) | null = null;

/** Asks whether what keeps the app where it is may be given up. */
let ask: ((go: () => void) => void) | null = null;

/** Does `go` now, or once the user has given up what keeps the app where it is. Never, if they rather stay. */
export function navigateWhenAllowed(go: () => void): void {
  if (ask) ask(go);
  else go();
}

/** Whether something keeps the app where it is, such as unsaved changes. */
export const isNavigationBlocked = (): boolean => hold !== null;

/**
 * Must be called once before the router starts: browsers tell the listeners of `popstate` in the order in which they
 * came, and a step back can only be held by whoever hears of it first.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => hold?.(event));
}

/**
 * Keeps the app where it is until the returned function is called: navigation within it, back and forward. Each attempt
 * is handed to `onHeld` as the way to make it after all, once released. The declarative router has no blocker of its
 * own, but every link and call passes through its navigator.
 */
export function blockNavigation(navigator: Navigator, onHeld: (go: () => void) => void): () => void {
  const { push, replace, go } = navigator;
  navigator.push = (...target) => onHeld(() => push.apply(navigator, target));
  navigator.replace = (...target) => onHeld(() => replace.apply(navigator, target));
  navigator.go = (steps) => onHeld(() => go.call(navigator, steps));

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
  hold = onPopState;
  ask = onHeld;

  return () => {
    navigator.push = push;
    navigator.replace = replace;
    navigator.go = go;
    if (hold === onPopState) hold = null;
    if (ask === onHeld) ask = null;
  };
}
