import { useLayoutEffect, type RefObject } from 'react';

/**
 * Sets `data-tight` on an element while its content overflows, in any language, and to `more` while it overflows with the styles of
 * `data-tight`, too.
 */
export function useOverflowMark(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    const container = current?.parentElement;
    if (!current || !container) return;
    const measure = () => {
      current.removeAttribute('data-tight');
      for (const tightness of ['', 'more']) {
        if (current.scrollWidth <= current.clientWidth) return;
        current.setAttribute('data-tight', tightness);
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(container);
    return () => observer.disconnect();
  });
}
