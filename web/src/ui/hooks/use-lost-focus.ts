import { useEffect, useRef } from 'react';

/** The element that was focused last. */
let lastFocused: Element | null = null;

/** The element that has lost the focus by becoming inert, until another one is focused. */
let madeInert: Element | null = null;

function recordFocus({ target }: FocusEvent): void {
  if (target instanceof Element) lastFocused = target;
  madeInert = null;
}

/** Starts to track the focused element. Call it before the page is rendered; later calls have no effect. */
export function trackFocus(): void {
  document.addEventListener('focusin', recordFocus);
}

/** Returns the focused element, or the last one if none is focused. */
export const currentOrLastFocus = (): Element | null =>
  document.activeElement === document.body ? lastFocused : document.activeElement;

/** An open dialog or menu contains the focus itself. One that is fading out does not count. */
const overlays = ':is([data-dialog-overlay], [role="menu"]):not([data-exiting], [data-exiting] *)';

/**
 * Whether the focus is on the body because its element was removed or made inert. A click on empty space also removes
 * the focus, but on purpose: the element still exists then.
 */
function isFocusLost(): boolean {
  const { activeElement } = document;
  // It still has the focus until the page is rendered.
  if (lastFocused?.closest('[inert]')) madeInert = lastFocused;
  if (activeElement !== null && activeElement !== document.body) return false;
  if (lastFocused === null) return false;
  // An element that is no longer inert does not have the focus again.
  return !lastFocused.isConnected || lastFocused === madeInert;
}

/**
 * Calls `returnFocus` if the focused element disappears and no other gets the focus, so that the keyboard focus is
 * never on the body. Closing dialogs get one frame to return the focus themselves, unless a key is pressed before: Tab
 * would continue at the start of the page.
 */
export function useLostFocus(returnFocus: () => void): void {
  const latest = useRef(returnFocus);
  useEffect(() => {
    latest.current = returnFocus;
  });
  useEffect(() => {
    trackFocus();
    let frame = 0;
    const returnIfLost = () => {
      if (isFocusLost() && document.querySelector(overlays) === null) latest.current();
    };
    const check = () => {
      if (frame !== 0 || !isFocusLost()) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        returnIfLost();
      });
    };
    document.addEventListener('keydown', returnIfLost, { capture: true });
    const observer = new MutationObserver(check);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['inert', 'data-exiting'],
    });
    check();
    return () => {
      observer.disconnect();
      document.removeEventListener('keydown', returnIfLost, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, []);
}
