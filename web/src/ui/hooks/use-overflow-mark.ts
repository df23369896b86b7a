import { useLayoutEffect, type RefObject } from 'react';

/** Sets `data-tight` on an element while its content overflows, in any language. */
export function useOverflowMark(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    const container = current?.parentElement;
    if (!current || !container) return;
    const measure = () => {
      current.removeAttribute('data-tight');
      current.toggleAttribute('data-tight', current.scrollWidth > current.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(container);
    return () => observer.disconnect();
  });
}
