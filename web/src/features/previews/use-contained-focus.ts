import { useEffect, type RefObject } from 'react';
import { currentOrLastFocus } from '../../ui/hooks/use-lost-focus.ts';

/** The elements that Tab reaches, except those with `tabindex="-1"`. */
const focusable = [
  'a[href]',
  ':is(button, input, select, textarea):not(:disabled)',
  'summary',
  'iframe',
  ':is(audio, video)[controls]',
  '[contenteditable="true"]',
  '[tabindex]',
]
  .map((selector) => `${selector}:not([tabindex="-1"])`)
  .join();

/** Returns the visible tab stops within an element, in order. */
const tabStopsIn = (root: HTMLElement): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(focusable)].filter((part) => part.getClientRects().length > 0);

/**
 * Focuses the element when it is mounted, keeps Tab within it, and returns the focus when it is unmounted. Dialogs
 * above it keep their focus, since only keys pressed within the element are handled.
 */
export function useContainedFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current;
    if (!root) return undefined;
    // The page may have become inert, and lost its focus, before the code of the previewer was loaded.
    const previousFocus = currentOrLastFocus();
    root.focus({ preventScroll: true });
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      const tabStops = tabStopsIn(root);
      const first = tabStops[0];
      const last = tabStops.at(-1);
      const active = document.activeElement;
      if (event.shiftKey && (active === first || active === root)) {
        event.preventDefault();
        last?.focus();
      } else if (!event.shiftKey && active === last) {
        event.preventDefault();
        first?.focus();
      }
    };
    root.addEventListener('keydown', onKeyDown);
    return () => {
      root.removeEventListener('keydown', onKeyDown);
      const active = document.activeElement;
      // An element that has taken the focus in the meantime keeps it.
      const isFree = active === null || active === document.body || root.contains(active);
      if (isFree && previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true });
    };
  }, [ref]);
}
