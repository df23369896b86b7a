import { useEffect, type RefObject } from 'react';
import { currentOrLastFocus } from '../../ui/hooks/use-lost-focus.ts';

/** Everything that Tab reaches, except what is taken out of its order by `tabindex="-1"`. */
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
    // Its page may have been made inert before the code of the previewer had arrived.
    const before = currentOrLastFocus();
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
