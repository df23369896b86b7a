import { useEffect, useState, type RefObject } from 'react';

/**
 * Whether the content of the element is higher than the element. Such an element needs a tab stop to scroll by
 * keyboard.
 */
export function useScrollable(element: RefObject<HTMLElement | null>): boolean {
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => setScrollable(box.scrollHeight > box.clientHeight));
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return isScrollable;
}
