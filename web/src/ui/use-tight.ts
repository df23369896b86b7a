import { useLayoutEffect, type RefObject } from 'react';

/** Marks an element with `data-tight` while what it holds does not fit into it, whatever the language. */
export function useTight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    const around = current?.parentElement;
    if (!current || !around) return;
    const measure = () => {
      delete current.dataset['tight'];
      if (current.scrollWidth > current.clientWidth) current.dataset['tight'] = '';
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  });
}
