import { useEffect, useRef, type RefObject } from 'react';

/** Handles keys that are pressed within `target` and not handled by an element inside it. */
export function useKeyWithin(
  target: RefObject<HTMLElement | null>,
  isEnabled: boolean,
  onKeyDown: (event: KeyboardEvent) => void,
): void {
  const latest = useRef(onKeyDown);
  useEffect(() => {
    latest.current = onKeyDown;
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const listen = (event: KeyboardEvent) => {
      const isWithin = event.target instanceof Node && target.current?.contains(event.target);
      if (isWithin && !event.defaultPrevented) latest.current(event);
    };
    // On the document, so that handlers inside are called first.
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [target, isEnabled]);
}
