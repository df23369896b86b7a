import { useEffect, useRef } from 'react';

/** The element that had the focus last. */
let lastFocused: Element | null = null;

function remember({ target }: FocusEvent): void {
  if (target instanceof Element) lastFocused = target;
}

/** Begins to remember which element has the focus. Call it before the page is rendered; later calls change nothing. */
export function rememberFocus(): void {
  document.addEventListener('focusin', remember);
}

/** The element with the focus; where nothing has it, the one that had it last. */
export const currentOrLastFocus = (): Element | null =>
  document.activeElement === document.body ? lastFocused : document.activeElement;

/** An open dialog or menu keeps the focus by itself. One that is fading away does not count. */
const overlays = ':is([data-dialog-overlay], [role="menu"]):not([data-exiting], [data-exiting] *)';

/**
 * Whether the focus fell back to the page because its element was removed or made inert. A click beside everything also
 * takes the focus away, but on purpose: then the element is still there.
 */
function isFocusLost(): boolean {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return false;
  if (lastFocused === null) return false;
  return !lastFocused.isConnected || lastFocused.closest('[inert]') !== null;
}

/**
 * Calls `regain` when the element with the focus goes away and nothing else takes the focus, so that the keyboard is
 * never left on the page's body. Dialogs that close get one frame to give the focus back themselves.
 */
export function useLostFocus(regain: () => void): void {
  const latest = useRef(regain);
  useEffect(() => {
    latest.current = regain;
  });
  useEffect(() => {
    rememberFocus();
    let frame = 0;
    const check = () => {
      if (frame !== 0 || !isFocusLost()) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (isFocusLost() && document.querySelector(overlays) === null) latest.current();
      });
    };
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
      cancelAnimationFrame(frame);
    };
  }, []);
}
