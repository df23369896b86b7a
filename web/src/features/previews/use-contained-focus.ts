import { useEffect, type RefObject } from 'react';

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), iframe, audio[controls], video[controls], [tabindex]:not([tabindex="-1"])';

/** The element's parts that Tab can reach, in order. */
const stopsOf = (root: HTMLElement): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(focusable)].filter((part) => part.getClientRects().length > 0);

/**
 * Takes the focus while the element is there, keeps Tab within it and gives the focus back afterwards. Dialogs that
 * open above it keep theirs: only keys pressed within the element are looked at.
 */
export function useContainedFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current;
    if (!root) return undefined;
    const before = document.activeElement;
    root.focus({ preventScroll: true });
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      const stops = stopsOf(root);
      const first = stops[0];
      const last = stops.at(-1);
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
      // Whatever has taken the focus meanwhile keeps it.
      const isFree = active === null || active === document.body || root.contains(active);
      if (isFree && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, [ref]);
}
