import { useLayoutEffect, type RefObject } from 'react';

/** Marks an element with `data-tight` while what it holds does not fit into it, whatever the language. */
export function useOverflowMark(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    const around = current?.parentElement;
    if (!current || !around) return;
    const measure = () => {
      current.removeAttribute('data-tight');
      current.toggleAttribute('data-tight', current.scrollWidth > current.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  });
}
