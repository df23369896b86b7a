import { useEffect, useRef, useState, type PointerEvent } from 'react';

/**
 * Moves rows by their grips, with mouse, pen or finger: as soon as the pointer is over the middle of another row, that
 * one's place is taken. `rowAt` gives the element of a place, `onMove` puts one row in the place of another.
 */
export function useRowDrag(
  rowAt: (index: number) => HTMLElement | undefined,
  onMove: (from: number, to: number) => void,
) {
  const [dragged, setDragged] = useState<number | null>(null);
  const current = useRef(0);
  /** The list changes while a row is dragged. */
  const latest = useRef({ rowAt, onMove });
  useEffect(() => {
    latest.current = { rowAt, onMove };
  });

  const start = (index: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const grip = event.currentTarget;
    current.current = index;
    setDragged(index);

    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const at = current.current;
      const above = latest.current.rowAt(at - 1)?.getBoundingClientRect();
      const below = latest.current.rowAt(at + 1)?.getBoundingClientRect();
      const isAbove = above !== undefined && clientY < above.top + above.height / 2;
      const isBelow = below !== undefined && clientY > below.top + below.height / 2;
      if (!isAbove && !isBelow) return;
      const to = at + (isAbove ? -1 : 1);
      current.current = to;
      setDragged(to);
      latest.current.onMove(at, to);
    };
    const stop = () => {
      setDragged(null);
      ends.abort();
    };
    const ends = new AbortController();
    const { signal } = ends;
    // The grip's element is moved in the page with its row, which ends a capture: the whole window is listened to.
    window.addEventListener('pointermove', follow, { signal });
    window.addEventListener('pointerup', stop, { signal });
    window.addEventListener('pointercancel', stop, { signal });
    grip.ownerDocument.addEventListener('visibilitychange', stop, { signal });
  };

  return { dragged, start };
}
